import { plainSkeleton } from './skeleton.ts'

/** Words of addresses in the eleven languages, as parts of patterns over the plain form of a text. */
function alternatives(words: string): string {
  return words
    .split(/\s+/)
    .map((word) => RegExp.escape(plainSkeleton(word).text))
    .join('|')
}

export const AT_WORDS = alternatives(
  'at ät arroba chiocciola arobase arobas собака собачка сабака эт sobaka sobachka klammeraffe affe آت ات أت ایت اتساين ساين @ 앳 골뱅이 アットマーク アット あっと 艾特',
)
export const DOT_WORDS = alternatives(
  'dot d0t period punkt point punto ponto точка тчк тачка дот tochka toчка نقطة نقطه دوت 点 點 점 닷 도트 ドット どっと てん 小数点',
)

/** Hosts of mailboxes that are named without their dot. */
export const PROVIDERS = alternatives(
  'gmail gmai1 gma1l googlemail hotmail yahoo outlook icloud protonmail yandex rambler gmx naver daum hanmail docomo mailru гмейл гмаил жмейл джимейл гмэйл яндекс 지메일 네이버 جيميل هوتميل ياهو',
)

/** Words before an address whose top-level domain is a word: "see anna.me". */
export const POINTERS = new RegExp(
  `(?:^|[^\\p{L}])(?:${alternatives(
    'site sites website webpage link visit open google search profile blog seite webseite besuch page sitio pagina web sito página сайт сайте зайди заходи открой ссылка вбей гугли адрес موقع موقعي رابط زور 网站 网址 打开 访问 사이트 주소 링크 サイト リンク',
  )})[\\s:]{1,3}$|[:>→]\\s?$|(?:网站|网址|链接|打开|访问|주소는|사이트는|さいと|さいとは|りんく)$`,
  'u',
)
