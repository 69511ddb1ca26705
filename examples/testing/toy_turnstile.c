/* A toy implementation of turnstile.dot, in another language and process.

       cc -o turnstile toy_turnstile.c          with -DFAULT, it stays open after the second coin
       burnside tests turnstile.dot --extra 1 -o suite.jsonl
       burnside run-tests suite.jsonl --adapter ./turnstile

   It reads lines: 'reset', or an input, which it answers by an output. */

#include <stdio.h>
#include <string.h>

int main(void) {
    char line[256];
    int is_open = 0, is_stuck = 0;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, "reset") == 0) {
            is_open = is_stuck = 0;
            continue;
        }
        const char *output = "unknown input";
        if (strcmp(line, "coin") == 0) {
            output = is_open ? "return coin" : "unlock";
#ifdef FAULT
            is_stuck = is_open;
#endif
            is_open = 1;
        } else if (strcmp(line, "push") == 0) {
            output = is_open ? "lock" : "nothing";
            is_open = is_stuck;
            is_stuck = 0;
        }
        puts(output);
        fflush(stdout);
    }
    return 0;
}
