/**
 * Cuts where the server would refuse. The server counts characters after NFC. An emoji is one character but several
 * UTF-16 units.
 */
export function firstCharacters(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  const characters = [...text.normalize('NFC')]
  return characters.length <= charactersMax ? text : characters.slice(0, charactersMax).join('')
}
