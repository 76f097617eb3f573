import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { FALLBACK_LOCALE } from '@duet/protocol/kernel/locales.ts'
import type { Plugin } from 'vite'

const FOLDER = join(import.meta.dirname, '../../../packages/locales')
const REQUESTED = /\/([a-z]{2})\/([a-z-]+)\.json\?texts$/
const VIRTUAL = '\0texts:'

type Messages = Record<string, string>

/** `packages/locales/de/legal.json?texts`: a catalogue compiled for Lingui. English replaces every text that the language lacks. */
export function textsPlugin(): Plugin {
  return {
    name: 'duet:texts',
    enforce: 'pre',
    resolveId: (id) => {
      const [, locale, name] = REQUESTED.exec(id) ?? []
      return locale ? `${VIRTUAL}${locale}/${name}` : undefined
    },
    load(id) {
      if (!id.startsWith(VIRTUAL)) return undefined
      const [locale = '', name = ''] = id.slice(VIRTUAL.length).split('/')
      for (const each of [locale, FALLBACK_LOCALE]) this.addWatchFile(resolveFile(each, name))
      return `export const texts = ${JSON.stringify(compiled(locale, name))}`
    },
  }
}

const resolveFile = (locale: string, name: string) => join(FOLDER, locale, `${name}.json`)

function read(locale: string, name: string): Messages {
  const file = resolveFile(locale, name)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Messages) : {}
}

function compiled(locale: string, name: string): Record<string, unknown> {
  const messages = { ...read(FALLBACK_LOCALE, name), ...read(locale, name) }
  return Object.fromEntries(
    Object.entries(messages).map(([id, text]) => [id, compileMessageOrThrow(text)]),
  )
}
