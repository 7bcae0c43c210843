/*
 * The parts of plan_text(), one function a section.  Private to plan/.
 */
#ifndef PLAN_TEXT_H
#define PLAN_TEXT_H

#include "plan/plan.h"

/* Post and plan are read on terminals and mailing lists. */
enum { TEXT_COLUMNS = 79 };

/* A head of so many columns, then the body wrapped beside it. */
void text_item(
    GString *out, const char *head, size_t columns, const char *body);
/* The longer of a width and the columns of a word, at most limit. */
size_t text_wider(size_t width, const char *word, size_t limit);

/* text_matrix.c: what is compared and where. */
void text_targets(GString *out, const Plan *plan);
void text_factors(GString *out, const Plan *plan);
void text_cells(GString *out, const Plan *plan);
void text_loads(GString *out, const Plan *plan);
/* text_night.c: how, and how long. */
void text_design(GString *out, const Plan *plan);
void text_time(GString *out, const Plan *plan);
/* text_order.c */
void text_order(GString *out, const Plan *plan);

#endif
