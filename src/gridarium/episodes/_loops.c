/* The compiled form of the functions of loops.py, which say what these do, and do it where this was not built.
 *
 * Asking an array for its shape makes a tuple in Python; here shapes are compared where they lie. Comparing keys may run
 * anything, and copying an array may let other threads run: so lists are looked at anew at each item, which is held.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

/* alike: is this value such an array? */

/* Whether an array has a shape, given as a tuple; -1 with an exception if that does not hold whole numbers. */
static int has_shape(PyArrayObject *array, PyObject *shape)
{
    if (PyArray_NDIM(array) != PyTuple_GET_SIZE(shape))
        return 0;
    for (int i = 0; i < PyArray_NDIM(array); i++) {
        Py_ssize_t length = PyLong_AsSsize_t(PyTuple_GET_ITEM(shape, i));
        if (length == -1 && PyErr_Occurred())
            return -1;
        if (length != PyArray_DIM(array, i))
            return 0;
    }
    return 1;
}

/* Whether a value is exactly an array, of a type and a shape; -1 with an exception as above. */
static int is_like(PyObject *value, PyArray_Descr *dtype, PyObject *shape)
{
    if (!PyArray_CheckExact(value))
        return 0;
    PyArray_Descr *own = PyArray_DESCR((PyArrayObject *)value);
    if (own != dtype && !PyArray_EquivTypes(own, dtype))
        return 0;
    return has_shape((PyArrayObject *)value, shape);
}

/* Whether two arguments are a type and a shape; 0 with an exception if not. */
static int are_form(PyObject *dtype, PyObject *shape)
{
    if (PyArray_DescrCheck(dtype) && PyTuple_Check(shape))
        return 1;
    PyErr_SetString(PyExc_TypeError, "a numpy.dtype and a tuple for the shape were expected");
    return 0;
}

static PyObject *alike(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t n)
{
    if (n != 3) {
        PyErr_SetString(PyExc_TypeError, "alike takes a value, a dtype and a shape");
        return NULL;
    }
    if (!are_form(args[1], args[2]))
        return NULL;
    int like = is_like(args[0], (PyArray_Descr *)args[1], args[2]);
    return like < 0 ? NULL : PyBool_FromLong(like);
}

/* pack: the bytes of many such arrays, one behind the other */

/* Copy the bytes of an array, in the order of its indices; -1 with an exception if there is no memory for that. */
static int copy_bytes(PyArrayObject *array, char *to, npy_intp size)
{
    if (PyArray_IS_C_CONTIGUOUS(array)) {
        memcpy(to, PyArray_DATA(array), (size_t)size);
        return 0;
    }
    PyObject *straight = PyArray_NewCopy(array, NPY_CORDER);
    if (straight == NULL)
        return -1;
    memcpy(to, PyArray_DATA((PyArrayObject *)straight), (size_t)size);
    Py_DECREF(straight);
    return 0;
}

/* Copy the bytes of so many values of a list to a place; 1 if all were alike, 0 if not, or -1 with an exception. */
static int copy_all(char *to, npy_intp size, PyObject *values, Py_ssize_t many, PyArray_Descr *dtype, PyObject *shape)
{
    int like = 1;
    for (Py_ssize_t i = 0; like == 1 && i < many; i++, to += size) {
        if (PyList_GET_SIZE(values) != many)
            return 0;
        PyObject *value = Py_NewRef(PyList_GET_ITEM(values, i));
        like = is_like(value, dtype, shape);
        if (like == 1 && copy_bytes((PyArrayObject *)value, to, size) < 0)
            like = -1;
        Py_DECREF(value);
    }
    return like;
}

static PyObject *pack(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t n)
{
    if (n < 3 || n > 4 || !PyList_Check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "pack takes a list, a dtype, a shape and whether all are known");
        return NULL;
    }
    if (!are_form(args[1], args[2]))
        return NULL;
    PyArray_Descr *dtype = (PyArray_Descr *)args[1];
    if (PyDataType_REFCHK(dtype)) /* their bytes are no values */
        Py_RETURN_NONE;
    npy_intp size = 0; /* of the first value; if that is not like the form, nothing is copied at all */
    Py_ssize_t many = PyList_GET_SIZE(args[0]);
    if (many > 0 && PyArray_Check(PyList_GET_ITEM(args[0], 0)))
        size = PyArray_NBYTES((PyArrayObject *)PyList_GET_ITEM(args[0], 0));
    if (size > 0 && many > PY_SSIZE_T_MAX / size)
        return PyErr_NoMemory();
    PyObject *data = PyByteArray_FromStringAndSize(NULL, many * size);
    if (data == NULL)
        return NULL;
    int like = copy_all(PyByteArray_AS_STRING(data), size, args[0], many, dtype, args[2]);
    if (like == 1)
        return data;
    Py_DECREF(data);
    return like < 0 ? NULL : Py_NewRef(Py_None);
}

/* columns: what many dicts hold under each key */

/* Whether a value is a dict or a tuple, as wanted, of n entries. */
static int is_branch(PyObject *value, PyObject *kind, Py_ssize_t n)
{
    if ((PyObject *)Py_TYPE(value) != kind)
        return 0;
    return n == (kind == (PyObject *)&PyTuple_Type ? PyTuple_GET_SIZE(value) : PyDict_GET_SIZE(value));
}

/* What such a value holds under a key, or at a place; a new reference, or NULL, maybe with an exception. */
static PyObject *entry(PyObject *value, PyObject *key, Py_ssize_t at)
{
    if (PyTuple_CheckExact(value))
        return Py_NewRef(PyTuple_GET_ITEM(value, at));
    Py_INCREF(value); /* comparing keys may run anything */
    PyObject *found = Py_XNewRef(PyDict_GetItemWithError(value, key));
    Py_DECREF(value);
    return found;
}

/* The entries of all values under one key, as a list; NULL, maybe with an exception, if one has another form. */
static PyObject *column(PyObject *values, PyObject *kind, PyObject *keys, Py_ssize_t at)
{
    Py_ssize_t many = PyList_GET_SIZE(values);
    PyObject *entries = PyList_New(many);
    if (entries == NULL)
        return NULL;
    for (Py_ssize_t i = 0; i < many; i++) {
        PyObject *found = NULL;
        if (i < PyList_GET_SIZE(values) && is_branch(PyList_GET_ITEM(values, i), kind, PyTuple_GET_SIZE(keys)))
            found = entry(PyList_GET_ITEM(values, i), PyTuple_GET_ITEM(keys, at), at);
        if (found == NULL) {
            Py_DECREF(entries);
            return NULL;
        }
        PyList_SET_ITEM(entries, i, found);
    }
    return entries;
}

static PyObject *columns(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t n)
{
    if (n < 3 || n > 4 || !PyList_Check(args[0]) || !PyTuple_Check(args[2])
        || (args[1] != (PyObject *)&PyDict_Type && args[1] != (PyObject *)&PyTuple_Type)) {
        PyErr_SetString(PyExc_TypeError, "columns takes a list, dict or tuple, keys and whether all are known");
        return NULL;
    }
    Py_ssize_t many = PyTuple_GET_SIZE(args[2]);
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(args[0]); i++) /* also where there are no keys to look up */
        if (!is_branch(PyList_GET_ITEM(args[0], i), args[1], many))
            Py_RETURN_NONE;
    PyObject *all = PyList_New(many);
    for (Py_ssize_t at = 0; all != NULL && at < many; at++) {
        PyObject *entries = column(args[0], args[1], args[2], at);
        if (entries == NULL) {
            Py_DECREF(all);
            return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
        }
        PyList_SET_ITEM(all, at, entries);
    }
    return all;
}

/* put_ones: one-hot vectors */

/* Write a 1 for each number of each item; the first item with a number outside, or -1. */
static npy_intp write_ones(PyArrayObject *numbers, npy_intp items, PyArrayObject *bounds, float *row, npy_intp width)
{
    npy_intp k = PyArray_DIM(bounds, 1);
    const npy_int64 *starts = PyArray_DATA(bounds), *sizes = starts + k, *number = PyArray_DATA(numbers);
    for (npy_intp item = 0; item < items; item++, row += width) {
        npy_int64 offset = 0;
        for (npy_intp i = 0; i < k; offset += sizes[i++], number++) {
            npy_uint64 from_zero = (npy_uint64)*number - (npy_uint64)starts[i]; /* below the start: very large */
            if (from_zero >= (npy_uint64)sizes[i])
                return item;
            row[offset + (npy_int64)from_zero] = 1.0f;
        }
    }
    return -1;
}

/* Whether a value is an array of a type with two dimensions, whose numbers lie in order and may be written. */
static int is_table(PyObject *value, int type)
{
    return PyArray_Check(value) && PyArray_TYPE((PyArrayObject *)value) == type
        && PyArray_NDIM((PyArrayObject *)value) == 2 && PyArray_ISCARRAY((PyArrayObject *)value);
}

static PyObject *put_ones(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t n)
{
    if (n != 4 || !is_table(args[1], NPY_INT64) || !is_table(args[2], NPY_FLOAT32)) {
        PyErr_SetString(PyExc_TypeError, "put_ones takes numbers, bounds int64[2, k], vectors float32[m, width], a row");
        return NULL;
    }
    PyArrayObject *bounds = (PyArrayObject *)args[1], *vectors = (PyArrayObject *)args[2];
    npy_intp at = PyLong_AsSsize_t(args[3]), k = PyArray_DIM(bounds, 1), width = 0;
    if (at == -1 && PyErr_Occurred())
        return NULL;
    int fit = PyArray_DIM(bounds, 0) == 2;
    for (npy_intp i = 0; fit && i < k; i++)
        width += ((npy_int64 *)PyArray_DATA(bounds))[k + i];
    PyArrayObject *numbers = (PyArrayObject *)PyArray_FROM_OTF(args[0], NPY_INT64, NPY_ARRAY_IN_ARRAY);
    if (numbers == NULL)
        return NULL;
    npy_intp items = k ? PyArray_SIZE(numbers) / k : 0, odd = -1;
    fit = fit && PyArray_SIZE(numbers) == items * k && PyArray_DIM(vectors, 1) == width && at >= 0
        && at <= PyArray_DIM(vectors, 0) - items;
    if (fit)
        odd = write_ones(numbers, items, bounds, (float *)PyArray_DATA(vectors) + at * width, width);
    else
        PyErr_SetString(PyExc_ValueError, "numbers, bounds and vectors do not belong together");
    Py_DECREF(numbers);
    return fit ? PyLong_FromSsize_t(odd) : NULL;
}

#define FUNCTION(name) {#name, (PyCFunction)(void (*)(void))name, METH_FASTCALL, "See loops." #name "_in_python."}

static PyMethodDef functions[] = {
    FUNCTION(alike), FUNCTION(columns), FUNCTION(pack), FUNCTION(put_ones), {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_loops",
    .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__loops(void)
{
    import_array();
    return PyModule_Create(&definition);
}
