#include "base/error.h"

G_DEFINE_QUARK(abrun_error, abrun_error)
