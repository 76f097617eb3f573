import topLevelDomains from 'tlds' with { type: 'json' }
import { plainSkeleton } from './skeleton.ts'

/** All real top-level domains, in the form in which texts are searched. */
const all = new Set(topLevelDomains.map((name) => plainSkeleton(name).text))

/** Read as domains wherever they stand behind a dot; with separators around the dot too. */
const unmistakable = new Set(
  'com net org info biz xyz ru ua kz рф рус укр бел onlyfans porn xxx icu'.split(' '),
)

/** Generic domains that rarely begin a sentence, so a dot without a space is enough. */
const names = new Set(
  'site online shop store tech app dev website sex cam club link blog pro edu gov asia webcam сайт онлайн москва дети 中国 公司 网络 网址 在线 한국 닷컴 موقع شبكة امارات السعودية مصر'
    .split(' ')
    .map((name) => plainSkeleton(name).text),
)

/** Domains of countries that are words or units of one of the eleven languages, or abbreviations. */
const words = new Set(
  `ac ad ai al am an ao as at be bi bo by ca cc ch ci cm co da de do ee er es et eu fi fm ga ge gg gm hm hu id ie il im in is it je jo ki
  km la li lt lu ma mc md me mg mi ml mm mo mr ms mu my na ne ni no nu om pa pe pm pr ps py re rs sa sc se sh si sl sm so st su
  sv ta td th tm to tt tu un us va vc ve vi vu ws ye yo yt za`.split(/\s+/),
)

/** How names of top-level domains are written by ear; only behind a word for the dot. */
const spoken = new Set(
  'ком ру нет нэт орг инфо юа كوم نت كم اورج ドットコム コム ジェーピー ネット 컴 콤 넷 닷컴'
    .split(' ')
    .map((name) => plainSkeleton(name).text),
)

export type DomainKind = 'unmistakable' | 'name' | 'word' | 'spoken'

export function findDomainKind(name: string): DomainKind | undefined {
  if (unmistakable.has(name)) return 'unmistakable'
  if (spoken.has(name)) return 'spoken'
  if (!all.has(name)) return LEET_COM.test(name) ? 'unmistakable' : undefined
  if (names.has(name)) return 'name'
  return words.has(name) || name.length > 2 ? 'word' : 'name'
}

const LEET_COM = /^(?:c[0o]m|n3t|0rg|c0n)$/
