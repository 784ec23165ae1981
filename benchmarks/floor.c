/* The floor of the benchmark: what the algorithm of INDEX1 with RK4 costs in plain C.
 *
 * Point masses and links in the plane, any topology. Accelerations come from S lambda = b - A g with S = A M^-1 A^T,
 * which has an entry only where two links share a moving body. S is factored as L D L^T on its fixed sparse pattern,
 * row by row from those above (up-looking), in the order in which the links are given. This is what the program's own
 * kernels do, with the same results: rows of A with Phi and b, the smallest pivot ratio, and once per step which rows
 * count. Nothing here is special to a chain, and each result is computed as plainly as C allows.
 *
 *   floor STEPS H REPEATS < mechanism
 *
 * with the mechanism as numbers:  points links gravity,  x y inverse_mass per point (0: an anchor),  i j per link.
 * Prints the best CPU time of one step in nanoseconds, and the last point that can move after all steps.
 */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint32_t Index;

/* Two links that share a moving body: one summand of an entry of S. */
typedef struct { Index other, my_end, their_end, body; } Pair;

typedef struct {
    Index points, links;
    double *inverse_mass, *gravity;      /* per point; gravity is 0 for anchors */
    Index (*end)[2];                     /* the two points of each link */
    double *scale, *length2;             /* 1/(2 length), which makes a multiplier a force; the length squared */
    Index *pair_start; Pair *pair;       /* entries of S left of the diagonal, by row */
    Index *row_start, *column, *place;   /* pattern of L by row; place: where that entry is stored */
    Index *column_start, *row_of;        /* pattern of L by column */
    double (*A)[4], *phi, *b, *r, *diagonal, *inverse, *L, *y, least;
    uint8_t *active;                     /* 0 for a row that depends on earlier ones */
} System;

static void *room(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (!p) { fprintf(stderr, "out of memory\n"); exit(1); }
    return p;
}

/* Rows of A, Phi, b, the diagonal of S, and r = b - A g: one pass over the links. */
static void rows(System *s, const double (*restrict q)[2], const double (*restrict v)[2])
{
    for (Index k = 0; k < s->links; k++) {
        Index i = s->end[k][0], j = s->end[k][1];
        double f = s->scale[k];
        double dx = q[i][0] - q[j][0], dy = q[i][1] - q[j][1];
        double ux = v[i][0] - v[j][0], uy = v[i][1] - v[j][1];
        double ax = f * (2.0 * dx), ay = f * (2.0 * dy), b = f * (-2.0 * (ux * ux + uy * uy));
        double *a = s->A[k];
        a[0] = ax; a[1] = ay; a[2] = -ax; a[3] = -ay;
        s->phi[k] = f * (dx * dx + dy * dy - s->length2[k]);
        s->b[k] = b;
        s->diagonal[k] = (s->inverse_mass[i] + s->inverse_mass[j]) * (ax * ax + ay * ay);
        s->r[k] = b - ay * (s->gravity[i] - s->gravity[j]);
    }
}

/* S = L D L^T. The smallest ratio of a pivot to its diagonal is kept: it tells how near a singular place is.
 * With `judge`, rows whose ratio is only roundoff are dropped. */
static void factor(System *s, int judge)
{
    const Index *restrict row_start = s->row_start, *restrict column = s->column, *restrict place = s->place;
    const Index *restrict column_start = s->column_start, *restrict row_of = s->row_of;
    double *restrict L = s->L, *restrict y = s->y, *restrict inverse = s->inverse;
    uint8_t *restrict active = s->active;
    double least = 1.0, limit = 1e-13;
    for (Index i = 0; i < s->links; i++) {
        for (Index p = s->pair_start[i]; p < s->pair_start[i + 1]; p++) {
            const Pair *b = &s->pair[p];
            const double *mine = s->A[i] + b->my_end, *theirs = s->A[b->other] + b->their_end;
            y[b->other] += s->inverse_mass[b->body] * (mine[0] * theirs[0] + mine[1] * theirs[1]);
        }
        double d = s->diagonal[i];
        for (Index e = row_start[i]; e < row_start[i + 1]; e++) {
            Index j = column[e];
            double u = y[j];
            y[j] = 0.0;
            for (Index p = column_start[j]; p < place[e]; p++) y[row_of[p]] -= L[p] * u;
            double l = u * inverse[j];
            L[place[e]] = l;
            d -= u * l;
        }
        if (judge) active[i] = d > limit * s->diagonal[i];
        if (!active[i]) { inverse[i] = 0.0; continue; }
        inverse[i] = 1.0 / d;
        if (d < least * s->diagonal[i]) {
            least = d / s->diagonal[i];
            limit = fmax(1e-13, 64.0 * 2.220446049250313e-16 / least);
        }
    }
    s->least = least;
}

/* r becomes lambda. */
static void solve(System *s)
{
    const Index *restrict column_start = s->column_start, *restrict row_of = s->row_of;
    const double *restrict L = s->L, *restrict inverse = s->inverse;
    double *restrict x = s->r;
    for (Index j = 0; j < s->links; j++) {
        double u = x[j];
        for (Index p = column_start[j]; p < column_start[j + 1]; p++) x[row_of[p]] -= L[p] * u;
    }
    for (Index j = s->links; j-- > 0;) {
        double u = x[j] * inverse[j];
        for (Index p = column_start[j]; p < column_start[j + 1]; p++) u -= L[p] * x[row_of[p]];
        x[j] = u;
    }
}

/* The right-hand side: a = g + M^-1 A^T lambda. */
static void accelerate(System *s, const double (*restrict q)[2], const double (*restrict v)[2], double (*restrict a)[2],
                       int judge)
{
    rows(s, q, v);
    factor(s, judge);
    solve(s);
    for (Index i = 0; i < s->points; i++) { a[i][0] = 0.0; a[i][1] = s->gravity[i]; }
    for (Index k = 0; k < s->links; k++) {
        Index i = s->end[k][0], j = s->end[k][1];
        double fi = s->inverse_mass[i] * s->r[k], fj = s->inverse_mass[j] * s->r[k];
        const double *row = s->A[k];
        a[i][0] += fi * row[0]; a[i][1] += fi * row[1];
        a[j][0] += fj * row[2]; a[j][1] += fj * row[3];
    }
}

typedef struct { double (*q)[2], (*v)[2], (*qs)[2], (*vs)[2], (*kq)[2], (*kv)[2], (*a)[2]; } State;

/* One classical Runge-Kutta step. kq and kv gather the weighted slopes; qs, vs is the state of a stage. */
static void rk4_step(System *s, State *x, double h)
{
    static const double ahead[4] = {0.5, 0.5, 1.0, 0.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    Index n = 2 * s->points;
    double *restrict q = *x->q, *restrict v = *x->v, *restrict qs = *x->qs, *restrict vs = *x->vs;
    double *restrict kq = *x->kq, *restrict kv = *x->kv, *restrict a = *x->a;
    memcpy(qs, q, n * sizeof *q);
    memcpy(vs, v, n * sizeof *v);
    memset(kq, 0, n * sizeof *kq);
    memset(kv, 0, n * sizeof *kv);
    for (int stage = 0; stage < 4; stage++) {
        accelerate(s, x->qs, x->vs, x->a, stage == 0);
        double w = weight[stage], c = ahead[stage] * h;
        for (Index i = 0; i < n; i++) {
            double speed = vs[i];
            kq[i] += w * speed;
            kv[i] += w * a[i];
            qs[i] = q[i] + c * speed;
            vs[i] = v[i] + c * a[i];
        }
    }
    for (Index i = 0; i < n; i++) { q[i] += h / 6 * kq[i]; v[i] += h / 6 * kv[i]; }
}

/* Which links share a moving body: for each, the earlier ones that do. */
static void find_pairs(System *s)
{
    Index *last = room(s->points, sizeof *last);             /* 1 + the last entry seen at a point, 0: none */
    Index *before = room(2 * (size_t)s->links, sizeof *before);
    size_t count = 0;
    for (int fill = 0; fill < 2; fill++) {
        memset(last, 0, s->points * sizeof *last);
        if (fill) s->pair = room(count, sizeof *s->pair);
        count = 0;
        for (Index k = 0; k < s->links; k++) {
            s->pair_start[k] = count;
            for (Index e = 0; e < 2; e++) {
                Index body = s->end[k][e];
                if (s->inverse_mass[body] == 0.0) continue;
                for (Index at = last[body]; at; at = before[at - 1]) {
                    Index other = (at - 1) / 2, side = (at - 1) % 2;
                    if (other == k) continue;
                    if (fill) s->pair[count] = (Pair){other, 2 * e, 2 * side, body};
                    count++;
                }
                before[2 * k + e] = last[body];
                last[body] = 2 * k + e + 1;
            }
        }
        s->pair_start[s->links] = count;
    }
    free(last);
    free(before);
}

static int ascending(const void *a, const void *b)
{
    Index x = *(const Index *)a, y = *(const Index *)b;
    return (x > y) - (x < y);
}

/* The pattern of L: row i holds every column on the way from an entry of S up the elimination tree to i. */
static void find_pattern(System *s)
{
    Index m = s->links, none = UINT32_MAX;
    Index *parent = room(m, sizeof *parent), *mark = room(m, sizeof *mark);
    size_t size = 4 * (size_t)m + 16, count = 0;
    s->column = room(size, sizeof *s->column);
    s->row_start = room(m + 1, sizeof *s->row_start);
    s->column_start = room(m + 1, sizeof *s->column_start);
    for (Index i = 0; i < m; i++) {
        parent[i] = none;
        mark[i] = i;
        s->row_start[i] = count;
        for (Index p = s->pair_start[i]; p < s->pair_start[i + 1]; p++)
            for (Index j = s->pair[p].other; mark[j] != i; j = parent[j]) {
                if (parent[j] == none) parent[j] = i;
                mark[j] = i;
                if (count == size) s->column = realloc(s->column, (size *= 2) * sizeof *s->column);
                if (!s->column) exit(1);
                s->column[count++] = j;
                s->column_start[j + 1]++;
            }
        qsort(s->column + s->row_start[i], count - s->row_start[i], sizeof(Index), ascending);
    }
    s->row_start[m] = count;
    for (Index j = 0; j < m; j++) s->column_start[j + 1] += s->column_start[j];
    s->place = room(count, sizeof *s->place);
    s->row_of = room(count, sizeof *s->row_of);
    s->L = room(count, sizeof *s->L);
    memcpy(mark, s->column_start, m * sizeof *mark);         /* the next free place of each column */
    for (Index i = 0; i < m; i++)
        for (Index e = s->row_start[i]; e < s->row_start[i + 1]; e++) {
            s->place[e] = mark[s->column[e]]++;
            s->row_of[s->place[e]] = i;
        }
    free(parent);
    free(mark);
}

static void read_mechanism(System *s, double (**start)[2])
{
    double g;
    if (scanf("%u %u %lf", &s->points, &s->links, &g) != 3) exit(2);
    size_t n = s->points, m = s->links;
    *start = room(n, sizeof **start);
    s->inverse_mass = room(n, sizeof(double));
    s->gravity = room(n, sizeof(double));
    s->end = room(m, sizeof *s->end);
    s->scale = room(m, sizeof(double));
    s->length2 = room(m, sizeof(double));
    s->phi = room(m, sizeof(double));
    s->b = room(m, sizeof(double));
    s->active = room(m, 1);
    s->pair_start = room(m + 1, sizeof(Index));
    s->A = room(m, sizeof *s->A);
    s->r = room(m, sizeof(double));
    s->diagonal = room(m, sizeof(double));
    s->inverse = room(m, sizeof(double));
    s->y = room(m, sizeof(double));
    for (size_t i = 0; i < n; i++) {
        if (scanf("%lf %lf %lf", &(*start)[i][0], &(*start)[i][1], &s->inverse_mass[i]) != 3) exit(2);
        s->gravity[i] = s->inverse_mass[i] > 0.0 ? -g : 0.0;
    }
    for (size_t k = 0; k < m; k++) {
        if (scanf("%u %u", &s->end[k][0], &s->end[k][1]) != 2) exit(2);
        double *p = (*start)[s->end[k][0]], *o = (*start)[s->end[k][1]];
        double dx = p[0] - o[0], dy = p[1] - o[1];
        s->length2[k] = dx * dx + dy * dy;
        s->scale[k] = 0.5 / sqrt(s->length2[k]);
    }
    find_pairs(s);
    find_pattern(s);
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int count, char **words)
{
    if (count != 4) { fprintf(stderr, "usage: floor STEPS H REPEATS < mechanism\n"); return 2; }
    long steps = atol(words[1]), repeats = atol(words[3]);
    double h = atof(words[2]), best = INFINITY, (*start)[2];
    System s = {0};
    read_mechanism(&s, &start);
    size_t size = s.points * sizeof *start;
    State x = {room(1, size), room(1, size), room(1, size), room(1, size), room(1, size), room(1, size), room(1, size)};
    for (long r = 0; r < repeats; r++) {
        memcpy(x.q, start, size);
        memset(x.v, 0, size);
        double begun = cpu_seconds();
        for (long n = 0; n < steps; n++) rk4_step(&s, &x, h);
        double taken = cpu_seconds() - begun;
        if (taken < best) best = taken;
    }
    Index last = s.points - 1;
    while (last && s.inverse_mass[last] == 0.0) last--;
    printf("%.6g %.17g %.17g\n", best / steps * 1e9, x.q[last][0], x.q[last][1]);
    return 0;
}
