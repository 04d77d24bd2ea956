/* A toy of a runtime: it hands the request of a call to intercepts and then to a provider. Your library goes here. */
#ifndef TOY_H
#define TOY_H

/* An intercept answers with the request, a provider with what its caller gets; it alone is given a trace header.
 * Requests and answers are JSON. An answer is made by toy_text; NULL says that there was an error. */
typedef char *(*toy_function)(const char *name, const char *request, const char *traceparent);

const char *toy_version(void);

/* Register an intercept, or take it back; 0 says that the name is taken, or that there is none. */
int toy_register(const char *name, int priority, int break_chain, toy_function intercept);
int toy_deregister(const char *name);

/* How many are registered, and the name of one. */
int toy_count(void);
const char *toy_name(int index);

/* Has the intercepts see a request and the provider answer it. */
char *toy_call(const char *name, const char *request, toy_function provider);

char *toy_text(const char *text);
void toy_free(char *text);

#endif
