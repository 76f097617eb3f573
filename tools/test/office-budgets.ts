/** Bytes of the built back office: what every page waits for, and the largest page of its own. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const KB = 1024
const START_GZIP_MAX_BYTES = 215 * KB
const PAGE_GZIP_MAX_BYTES = 16 * KB

const START_FILE = /(?:src|href)="\/office\/(assets\/[^"]+\.js)"/g

interface OfficeSizes {
  readonly start_bytes: number
  readonly largest_page: { readonly name: string; readonly bytes: number }
}

/** The sizes as gzip compresses them. */
export function officeSizes(dist: string): OfficeSizes {
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const size = (name: string) => gzipSync(readFileSync(join(dist, name)), { level: 9 }).length
  const start = new Set([...page.matchAll(START_FILE)].map(([, name]) => name!))
  const pages = readdirSync(join(dist, 'assets'))
    .map((name) => `assets/${name}`)
    .filter((name) => name.endsWith('.js') && !start.has(name))
    .map((name) => ({ name, bytes: size(name) }))
    .toSorted((one, other) => other.bytes - one.bytes)
  return {
    start_bytes: [...start].reduce((bytes, name) => bytes + size(name), 0),
    largest_page: pages[0] ?? { name: '', bytes: 0 },
  }
}

/** A sentence for each part of the back office that is above its budget. */
export function officeComplaints(dist: string): string[] {
  if (!existsSync(join(dist, 'index.html'))) return []
  const { start_bytes, largest_page } = officeSizes(dist)
  return [
    ...(start_bytes > START_GZIP_MAX_BYTES
      ? [`The office's start has ${start_bytes} bytes, its budget is ${START_GZIP_MAX_BYTES}.`]
      : []),
    ...(largest_page.bytes > PAGE_GZIP_MAX_BYTES
      ? [
          `${largest_page.name} has ${largest_page.bytes} bytes, its budget is ${PAGE_GZIP_MAX_BYTES}.`,
        ]
      : []),
  ]
}
