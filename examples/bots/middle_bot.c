/* A player of any game in C: the middle one of the legal actions. It reads and writes JSON lines, see
   docs/arena-protocol.md, with no library: strings of the list "legal_actions" are copied as they are.

       cc -O2 -o middle_bot examples/bots/middle_bot.c
       gridarium match TwoAgents-Empty-8x8 ./middle_bot random
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The end of the JSON string that begins at the quotation mark s. */
static char *end_of_string(char *s)
{
    for (s++; *s && *s != '"'; s++)
        if (*s == '\\' && s[1])
            s++;
    return s;
}

/* The number of strings in a list, up to its bracket; *found is string number `wanted`, with its quotation marks. */
static int strings(char *list, int wanted, char **found, int *length)
{
    int count = 0;
    for (char *s = list; *s && *s != ']'; s++)
        if (*s == '"') {
            char *end = end_of_string(s);
            if (count++ == wanted) {
                *found = s;
                *length = (int)(end - s) + 1;
            }
            s = end;
        }
    return count;
}

int main(void)
{
    char *line = NULL, *list, *found = "\"\"";
    size_t room = 0;
    int length = 2;
    while (getline(&line, &room, stdin) > 0) {
        if (strncmp(line, "{\"type\":\"begin\"", 15) == 0) {
            puts("{\"type\":\"ready\",\"protocol\":1}");
        } else if (strncmp(line, "{\"type\":\"act\"", 13) == 0) {
            list = strstr(line, "\"legal_actions\":[") + strlen("\"legal_actions\":[");
            strings(list, strings(list, -1, &found, &length) / 2, &found, &length);
            printf("{\"type\":\"action\",\"action\":%.*s}\n", length, found);
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
