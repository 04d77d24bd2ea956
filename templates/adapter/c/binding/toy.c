#include "toy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64

static struct kept {
  char *name;
  int priority, break_chain;
  toy_function intercept;
} all[MOST];
static int count;

char *toy_text(const char *text) {
  char *copy = malloc(strlen(text) + 1);
  return copy ? strcpy(copy, text) : NULL;
}

void toy_free(char *text) { free(text); }

const char *toy_version(void) { return "0.1.0"; }

int toy_count(void) { return count; }

const char *toy_name(int index) { return all[index].name; }

static int place_of(const char *name) {
  int place = 0;
  while (place < count && strcmp(all[place].name, name) != 0) place++;
  return place;
}

static int is_before(const struct kept *one, int priority, const char *name) {
  if (one->priority == priority) return strcmp(one->name, name) < 0;
  /* EDIT HERE: make it `one->priority > priority`, and bindproof goes red */
  return one->priority < priority;
}

/* Kept in order: those of one priority by their names. */
int toy_register(const char *name, int priority, int break_chain, toy_function intercept) {
  if (count == MOST || place_of(name) < count) return 0;
  int place = count++;
  for (; place > 0 && !is_before(&all[place - 1], priority, name); place--) all[place] = all[place - 1];
  all[place] = (struct kept){toy_text(name), priority, break_chain, intercept};
  return 1;
}

int toy_deregister(const char *name) {
  int place = place_of(name);
  if (place == count) return 0;
  free(all[place].name);
  for (count--; place < count; place++) all[place] = all[place + 1];
  return 1;
}

static int traced(char traceparent[56]) {
  unsigned char own[16];
  FILE *random = fopen("/dev/urandom", "rb");
  if (!random) return 0;
  size_t read = fread(own, 1, sizeof own, random);
  fclose(random);
  char *end = traceparent + sprintf(traceparent, "00-");
  for (int i = 0; i < 16; i++) end += sprintf(end, "%02x", own[i]);
  *end++ = '-';
  for (int i = 8; i < 16; i++) end += sprintf(end, "%02x", own[i]);
  sprintf(end, "-01");
  return read == sizeof own;
}

char *toy_call(const char *name, const char *request, toy_function provider) {
  char traceparent[56];
  char *seen = toy_text(request);
  int goes_on = 1;
  for (int i = 0; seen && goes_on && i < count; i++) {
    char *answer = all[i].intercept(name, seen, NULL);
    goes_on = !all[i].break_chain;
    free(seen);
    seen = answer;
  }
  char *answer = seen && traced(traceparent) ? provider(name, seen, traceparent) : NULL;
  free(seen);
  return answer;
}
