import { getDirection, FALLBACK_LOCALE, isLocale } from '@duet/protocol/kernel/locales.ts'
import { plainLine } from '../../lib/texts/plain-line.ts'
import { hasServerText, serverText } from '../../platform/texts.ts'
import type { MailOrder } from './mail-order.ts'

const VALUE_CHARACTERS_MAX = 200
/** Longer lines of a subject are cut by many programs. */
const SUBJECT_CHARACTERS_MAX = 150

export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

interface Parts {
  readonly locale: string
  readonly paragraphs: readonly string[]
  readonly button: { readonly label: string; readonly url: string } | undefined
  readonly footer: readonly string[]
  readonly unsubscribe: { readonly label: string; readonly url: string } | undefined
}

/** A mail in the user's language, in English where a text is not translated. */
export function renderMail(
  { template, locale: asked, values: given }: Pick<MailOrder, 'template' | 'locale' | 'values'>,
  origin: string,
  unsubscribeUrl: string | undefined,
): RenderedMail {
  const locale = isLocale(asked) ? asked : FALLBACK_LOCALE
  const values = cleaned(given)
  const say = (id: string) => serverText(locale, 'mail', `mail.${id}`, values)
  const own = (part: string) => `${template}.${part}`
  const splitParagraphs = (id: string) => say(id).split(/\n{2,}/)
  const has = (part: string) => hasServerText('mail', `mail.${own(part)}`)
  const { link, lines = [] } = given as { link?: string; lines?: readonly string[] }
  const parts: Parts = {
    locale,
    paragraphs: [
      ...splitParagraphs(own('text')),
      ...lines.map((line) => plainLine(line, VALUE_CHARACTERS_MAX)),
    ],
    button: link === undefined ? undefined : { label: say(own('button')), url: origin + link },
    footer: [
      ...(has('note') ? splitParagraphs(own('note')) : []),
      say(has('footer') ? own('footer') : 'footer'),
    ],
    unsubscribe:
      unsubscribeUrl === undefined ? undefined : { label: say('unsubscribe'), url: unsubscribeUrl },
  }
  const subject = plainLine(say(own('subject')), SUBJECT_CHARACTERS_MAX)
  return { subject, text: plainText(parts), html: htmlPage(subject, parts) }
}

/** Values come from users: each stays on its line and cannot turn or hide the text around it. */
function cleaned(values: object): Record<string, string | number> {
  const clean: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(values as Record<string, unknown>)) {
    if (typeof value === 'number') clean[name] = value
    if (typeof value === 'string') clean[name] = plainLine(value, VALUE_CHARACTERS_MAX)
  }
  return clean
}

function plainText({ paragraphs, button, footer, unsubscribe }: Parts): string {
  const links = [button, unsubscribe].map((link) => link && `${link.label}:\n${link.url}`)
  return `${[...paragraphs, links[0], ...footer, links[1]].filter(Boolean).join('\n\n')}\n`
}

const FONT = 'font-family:Arial,Helvetica,sans-serif'

function htmlPage(
  subject: string,
  { locale, paragraphs, button, footer, unsubscribe }: Parts,
): string {
  const direction = isLocale(locale) ? getDirection(locale) : 'ltr'
  const lines = paragraphs.map(
    (line) => `<p style="margin:0 0 16px;font-size:16px;line-height:24px">${escaped(line)}</p>`,
  )
  const press =
    button &&
    `<p style="margin:24px 0"><a href="${escaped(button.url)}" style="display:inline-block;padding:12px 24px;border-radius:24px;background:#c2410c;color:#ffffff;text-decoration:none;font-size:16px">${escaped(button.label)}</a></p>`
  const notes = footer.map(
    (line) =>
      `<p style="margin:0 0 8px;font-size:13px;line-height:18px;color:#57534e">${escaped(line)}</p>`,
  )
  const end =
    unsubscribe &&
    `<p style="margin:0;font-size:13px;line-height:18px"><a href="${escaped(unsubscribe.url)}" style="color:#57534e">${escaped(unsubscribe.label)}</a></p>`
  return [
    `<!doctype html><html lang="${escaped(locale)}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(subject)}</title></head>`,
    `<body style="margin:0;padding:24px;background:#faf7f5;color:#1c1917;${FONT}"><div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:16px">`,
    ...lines,
    press ?? '',
    ...notes,
    end ?? '',
    '</div></body></html>',
  ]
    .filter(Boolean)
    .join('\n')
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!)
}
