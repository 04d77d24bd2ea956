// The binding that is judged: a function. Your package would stand in its place.

export const version = "1.0.0";

/** Return the sum of the numbers in a text such as `1+2`; throws RangeError. */
export function addUp(text) {
  const numbers = text.split("+");
  for (const number of numbers) {
    if (!/^[0-9]+$/.test(number)) throw new RangeError(`no number: ${number}`);
  }
  return numbers.reduce((sum, number) => sum + Number(number), 0);
}
