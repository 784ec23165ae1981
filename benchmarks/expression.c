/* The expression of expression.py in C: prints nanoseconds for one evaluation, and the sum of the values. */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

__attribute__((noinline)) static double force(double t, double x, double y) {
    return 3.0 * cos(2.0 * t) * exp(-0.1 * x) - 0.5 * x * y + sqrt(1.0 + x * x) / (2.0 + y * y);
}

int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 1000000;
    struct timespec a, b;
    double sum = 0.0;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    for (long i = 0; i < n; i++) sum += force(1e-6 * i, 0.3 + 1e-7 * i, -0.2);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    printf("%.17g %.17g\n", ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / n, sum);
    return 0;
}
