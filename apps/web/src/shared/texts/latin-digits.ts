/** A typed amount with the digits 0 to 9: keyboards of Arabic and Persian type other digits and another decimal sign. */
export function toLatinDigits(typed: string): string {
  return typed
    .replaceAll(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replaceAll(/[\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replaceAll('\u066B', '.')
}
