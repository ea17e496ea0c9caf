/* KernelCall: calls a compiled kernel with its frame, as `kernel_call` says, without the cost of `MachineCode`.
 *
 * That converts all arguments and lets other threads run during each call, which takes longer than many
 * a step of a world. Compiled kernels do nothing with Python's objects.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stddef.h>
#include <stdint.h>

/* numba's calling convention: where the result goes, where an exception is described, and the arguments. */
typedef int (*Kernel)(int64_t *, void **, int64_t frame, int64_t slot, int64_t first, int64_t last, int64_t mode);

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *entry; /* what keeps the machine code */
    Kernel kernel;
    int64_t frame;
} KernelCall;

static PyObject *call(PyObject *self, PyObject *const *args, size_t count, PyObject *names)
{
    KernelCall *own = (KernelCall *)self;
    int64_t numbers[3], result = 0;
    void *raised = NULL;
    if (PyVectorcall_NARGS(count) != 3 || (names != NULL && PyTuple_GET_SIZE(names) != 0)) {
        PyErr_SetString(PyExc_TypeError, "a kernel takes first, last and mode");
        return NULL;
    }
    for (int i = 0; i < 3; i++) {
        numbers[i] = PyLong_AsLongLong(args[i]);
        if (numbers[i] == -1 && PyErr_Occurred())
            return NULL;
    }
    if (own->kernel(&result, &raised, own->frame, 0, numbers[0], numbers[1], numbers[2]) != 0) {
        PyErr_SetString(PyExc_RuntimeError, "a rule raised an exception, which running it again interpreted did not");
        return NULL;
    }
    return PyLong_FromLongLong(result);
}

static PyObject *make(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"entry", "kernel", "frame", NULL};
    PyObject *entry;
    long long kernel, frame;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OLL", names, &entry, &kernel, &frame))
        return NULL;
    KernelCall *own = (KernelCall *)type->tp_alloc(type, 0);
    if (own == NULL)
        return NULL;
    own->vectorcall = call;
    own->entry = Py_NewRef(entry);
    own->kernel = (Kernel)(intptr_t)kernel;
    own->frame = frame;
    return (PyObject *)own;
}

static void drop(PyObject *self)
{
    Py_XDECREF(((KernelCall *)self)->entry);
    Py_TYPE(self)->tp_free(self);
}

static PyTypeObject KernelCallType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "gridarium.engine._kernel_call.KernelCall",
    .tp_doc = "See kernel_call.",
    .tp_basicsize = sizeof(KernelCall),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_new = make,
    .tp_dealloc = drop,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(KernelCall, vectorcall),
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_kernel_call",
    .m_size = -1,
};

PyMODINIT_FUNC PyInit__kernel_call(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module != NULL && PyModule_AddType(module, &KernelCallType) < 0)
        Py_CLEAR(module);
    return module;
}
