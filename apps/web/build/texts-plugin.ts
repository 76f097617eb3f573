import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { fallbackLocale } from '@duet/protocol/kernel/locales.ts'
import type { Plugin } from 'vite'

const folder = join(import.meta.dirname, '../../../packages/locales')
const asked = /\/([a-z]{2})\.json\?texts$/
const made = '\0texts:'

type Texts = Record<string, string>

/** `packages/locales/de.json?texts`: the language compiled for Lingui, English standing in for every key that it lacks. */
export function textsPlugin(): Plugin {
  return {
    name: 'duet:texts',
    enforce: 'pre',
    resolveId: (id) => {
      const locale = asked.exec(id)?.[1]
      return locale ? `${made}${locale}` : undefined
    },
    load(id) {
      if (!id.startsWith(made)) return undefined
      const locale = id.slice(made.length)
      for (const each of [locale, fallbackLocale]) this.addWatchFile(fileOf(each))
      return `export const texts = ${JSON.stringify(compiled(locale))}`
    },
  }
}

const fileOf = (locale: string) => join(folder, `${locale}.json`)
const read = (locale: string) => JSON.parse(readFileSync(fileOf(locale), 'utf8')) as Texts

function compiled(locale: string): Record<string, unknown> {
  const texts: Texts = { ...read(fallbackLocale), ...read(locale) }
  return Object.fromEntries(
    Object.entries(texts).map(([id, text]) => [id, compileMessageOrThrow(text)]),
  )
}
