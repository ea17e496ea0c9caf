/* CompiledProgram: machine code called from Python, as `compiled_program.py` says, without the cost of ctypes.
 *
 * That takes longer than many a step of a small world. Compiled programs do nothing with Python's objects.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stddef.h>
#include <stdint.h>

/* numba's calling convention: where the result goes, where an exception is described, and the arguments. */
typedef int (*Code)(int64_t *, void **, int64_t frame, int64_t slot, int64_t first, int64_t last, int64_t mode);

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *owner; /* what keeps the machine code */
    long long address;
    long long frame; /* 0: it is the first argument, slot the second */
} CompiledProgram;

static PyTypeObject CompiledProgramType;

static PyObject *call(PyObject *self, PyObject *const *args, size_t count, PyObject *names)
{
    CompiledProgram *own = (CompiledProgram *)self;
    Code code = (Code)(intptr_t)own->address;
    int known = own->frame == 0 ? 0 : 2, status;
    int64_t numbers[5] = {own->frame, 0}, result = 0;
    void *raised = NULL;
    if (PyVectorcall_NARGS(count) != 5 - known || (names != NULL && PyTuple_GET_SIZE(names) != 0)) {
        PyErr_SetString(PyExc_TypeError, known ? "a program with a frame takes first, last and mode"
                                               : "a program takes frame, slot, first, last and mode");
        return NULL;
    }
    for (int i = known; i < 5; i++) {
        numbers[i] = PyLong_AsLongLong(args[i - known]);
        if (numbers[i] == -1 && PyErr_Occurred())
            return NULL;
    }
#define RUN code(&result, &raised, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
    if (known) {
        status = RUN;
    } else {
        Py_BEGIN_ALLOW_THREADS
        status = RUN;
        Py_END_ALLOW_THREADS
    }
    if (status != 0) {
        PyErr_SetString(PyExc_RuntimeError, "a rule raised an exception, which running it again interpreted did not");
        return NULL;
    }
    return PyLong_FromLongLong(result);
}

static PyObject *made(PyTypeObject *type, PyObject *owner, long long address, long long frame)
{
    CompiledProgram *own = (CompiledProgram *)type->tp_alloc(type, 0);
    if (own == NULL)
        return NULL;
    own->vectorcall = call;
    own->owner = Py_NewRef(owner);
    own->address = address;
    own->frame = frame;
    return (PyObject *)own;
}

static PyObject *make(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"owner", "address", NULL};
    PyObject *owner;
    long long address;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OL", names, &owner, &address))
        return NULL;
    return made(type, owner, address, 0);
}

static PyObject *with_frame(PyObject *self, PyObject *argument)
{
    CompiledProgram *own = (CompiledProgram *)self;
    long long frame = PyLong_AsLongLong(argument);
    if (frame == -1 && PyErr_Occurred())
        return NULL;
    return made(&CompiledProgramType, own->owner, own->address, frame);
}

static void drop(PyObject *self)
{
    Py_XDECREF(((CompiledProgram *)self)->owner);
    Py_TYPE(self)->tp_free(self);
}

static PyMethodDef methods[] = {{"with_frame", with_frame, METH_O, "See compiled_program.py."}, {NULL}};

static PyTypeObject CompiledProgramType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "gridarium.compiled._compiled_program.CompiledProgram",
    .tp_doc = "See compiled_program.py.",
    .tp_basicsize = sizeof(CompiledProgram),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_new = make,
    .tp_dealloc = drop,
    .tp_methods = methods,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(CompiledProgram, vectorcall),
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_compiled_program",
    .m_size = -1,
};

PyMODINIT_FUNC PyInit__compiled_program(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module != NULL && PyModule_AddType(module, &CompiledProgramType) < 0)
        Py_CLEAR(module);
    return module;
}
