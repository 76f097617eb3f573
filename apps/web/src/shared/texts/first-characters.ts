/** Cuts where the server would refuse: it counts characters after NFC, and an emoji is fewer of them than of UTF-16 units. */
export function firstCharacters(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  const characters = [...text.normalize('NFC')]
  return characters.length <= charactersMax ? text : characters.slice(0, charactersMax).join('')
}
