// The binding that is judged: a counter. Your package would stand in its place.

export const version = "1.0.0";

/** A total, to which numbers are added and from which they are taken. */
export class Counter {
  #total = 0;

  /** Add a number and return the new total. */
  add(number) {
    this.#total += number;
    return this.#total;
  }

  /** Take a number away and return the new total, which is never negative. */
  take(number) {
    this.#total = Math.max(0, this.#total - number);
    return this.#total;
  }
}
