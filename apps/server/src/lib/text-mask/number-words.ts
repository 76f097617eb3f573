import { plainSkeleton } from './skeleton.ts'

/**
 * Words for numbers in the eleven languages, with their digits. The position of a group is its value. Words
 * with a "/" between them are spellings of the same number.
 */
const UNITS = [
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  'nought/null/oh won too/tu/too tree/thre fore/fower fiv/faiv siks sevn/sewen ate/ait nain/niner',
  'null eins/ein/eine zwei/zwo drei vier fünf/fuenf sechs sieben acht neun zehn elf zwölf/zwoelf dreizehn vierzehn fünfzehn/fuenfzehn sechzehn siebzehn achtzehn neunzehn',
  'zéro un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize',
  'cero uno/una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve',
  'zero uno/una due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove',
  'zero um/uma dois/duas três quatro cinco seis/meia sete oito nove dez onze doze treze catorze/quatorze quinze dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove',
  'ноль/нуль/нолик один/одна/раз/адин два/две три четыре/четыри пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать',
  'صفر/زيرو واحد/واحدة/وحدة اثنان/اثنين/اتنين/تنين ثلاثة/ثلاث/تلاتة/تلاته أربعة/أربع خمسة/خمس ستة/ست سبعة/سبع ثمانية/ثماني/تمانية/تمنية تسعة/تسع عشرة/عشر',
  'ゼロ/れい/まる いち に さん よん/し ご ろく なな/しち はち きゅう/く',
  'nol odin dva tri chetyre/cetyre pyat/piat shest sem vosem devyat/deviat desyat',
]

/** Words for tens: a unit that follows is written in the place of their zero. */
const TENS = [
  '- - twenty thirty forty/fourty fifty sixty seventy eighty ninety',
  '- - zwanzig dreißig/dreissig vierzig fünfzig/fuenfzig sechzig siebzig achtzig neunzig',
  '- - vingt trente quarante cinquante soixante septante huitante/octante nonante',
  '- - veinte/veinti treinta cuarenta cincuenta sesenta setenta ochenta noventa',
  '- - venti trenta quaranta cinquanta sessanta settanta ottanta novanta',
  '- - vinte trinta quarenta cinquenta sessenta setenta oitenta noventa',
  '- - двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто',
  '- - عشرون/عشرين ثلاثون/ثلاثين/تلاتين أربعون/أربعين خمسون/خمسين ستون/ستين سبعون/سبعين ثمانون/ثمانين/تمانين تسعون/تسعين',
]

const HUNDREDS = [
  '- сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот',
  '- cien/ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos',
  '- cento duecento trecento quattrocento cinquecento seicento settecento ottocento novecento',
  '- cem duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos',
  '- einhundert zweihundert dreihundert vierhundert fünfhundert sechshundert siebenhundert achthundert neunhundert',
]

/** Written one after the other without separators, and part of ordinary words too: only several in a row are digits. */
const IDEOGRAPHS = [
  '零〇洞',
  '一壱壹幺',
  '二弐贰貳两兩',
  '三参叁參',
  '四肆',
  '五伍',
  '六陆陸',
  '七柒',
  '八捌',
  '九玖',
]
const SYLLABLES = ['영공', '일', '이', '삼', '사', '오', '육륙', '칠', '팔', '구']

const plain = (word: string) => plainSkeleton(word).text

function eachWord(line: string, add: (word: string, value: number) => void): void {
  for (const [value, spellings] of line.split(' ').entries())
    for (const word of spellings.split('/')) if (word !== '-') add(plain(word), value)
}

/** The digits of each word. A word for tens or hundreds ends with zeros, which a following word fills. */
export const numberWords: ReadonlyMap<string, string> = createNumberWords()

function createNumberWords(): Map<string, string> {
  const words = new Map<string, string>()
  const add = (word: string, value: number) => {
    if (!words.has(word)) words.set(word, String(value))
  }
  for (const line of UNITS) eachWord(line, add)
  for (const line of TENS) eachWord(line, (word, value) => add(word, value * 10))
  for (const line of HUNDREDS) eachWord(line, (word, value) => add(word, value * 100))
  addGermanPairs(words)
  for (const [value, words_] of [
    [1, '하나'],
    [2, '둘'],
    [3, '셋'],
    [4, '넷'],
    [5, '다섯'],
    [6, '여섯'],
    [7, '일곱'],
    [8, '여덟'],
    [9, '아홉'],
  ] as const)
    add(words_, value)
  return words
}

/** "dreiundzwanzig" is 23. */
function addGermanPairs(words: Map<string, string>): void {
  const units = UNITS[2]!.split(' ').slice(1, 10)
  const tens = TENS[1]!.split(' ')
  for (const [index, unit] of units.entries())
    for (const one of unit.split('/'))
      for (const [ten, spellings] of tens.entries())
        for (const word of spellings.split('/'))
          if (word !== '-') words.set(plain(`${one}und${word}`), String(ten * 10 + index + 1))
}

function getDigits(lists: readonly string[]): Map<string, string> {
  return new Map(
    lists.flatMap((characters, value) =>
      [...characters].map((one) => [one, String(value)] as const),
    ),
  )
}
export const ideographs: ReadonlyMap<string, string> = getDigits(IDEOGRAPHS)
export const syllables: ReadonlyMap<string, string> = getDigits(SYLLABLES)

/** The words that begin with these two letters, the longest first. */
const byBeginning = new Map<string, string[]>()
for (const word of numberWords.keys()) {
  const beginning = word.slice(0, 2)
  byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), word])
}
for (const words of byBeginning.values()) words.sort((a, b) => b.length - a.length)

/** Whether words begin with a digest of two letters, or of one letter. */
const beginnings = new Uint8Array(0x1_0000)
const alone = new Uint8Array(0x1_0000)
for (const word of numberWords.keys())
  if (word.length === 1) alone[word.charCodeAt(0)] = 1
  else beginnings[beginningAt(word, 0)] = 1

function beginningAt(text: string, at: number): number {
  return ((text.charCodeAt(at) * 31) ^ text.charCodeAt(at + 1)) & 0xffff
}

/** Whether a word for a number may begin here. Nearly always false, and found quickly. */
export function mayBeNumberWord(text: string, at: number): boolean {
  return beginnings[beginningAt(text, at)] === 1 || alone[text.charCodeAt(at)] === 1
}

/** The longest word for a number that begins here. */
export function numberWordAt(letters: string, at: number): string | undefined {
  if (!mayBeNumberWord(letters, at)) return undefined
  const words = byBeginning.get(letters.slice(at, at + 2)) ?? byBeginning.get(letters[at] ?? '')
  return words?.find((word) => letters.startsWith(word, at))
}
