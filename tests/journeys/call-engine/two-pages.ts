import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { Relay } from './relay.ts'
import type { SlowLink } from './slow-link.ts'

const CHROMIUM = '/usr/bin/chromium'
const ARGUMENTS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
]
/** Never fetched: each page answers it itself. It only has to be an origin that may use the camera. */
const ORIGIN = 'http://localhost:9/'

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS })
}

/** The way between a page and the server. Nothing is slower than nothing: without a way it does not even wait for a timer. */
export async function hop(hopMs: number): Promise<void> {
  if (hopMs > 0) await new Promise((resolve) => setTimeout(resolve, hopMs))
}

/** A page of its own device (own storage, own permissions), blank, where camera and microphone are allowed. */
export async function blankPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ permissions: ['camera', 'microphone'] })
  const page = await context.newPage()
  await page.route('**/*', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><body></body>' }),
  )
  await page.goto(ORIGIN)
  return page
}

/** The engine and its page as one classic script. */
export async function bundleEnginePage(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      target: 'esnext',
      lib: {
        entry: fileURLToPath(new URL('page.ts', import.meta.url)),
        formats: ['iife'],
        name: 'enginePage',
      },
    },
  })
  const [first] = Array.isArray(built) ? built : [built]
  const chunk =
    first && 'output' in first ? first.output.find((each) => each.type === 'chunk') : undefined
  if (!chunk) throw new Error('the engine was not bundled')
  return chunk.code
}

export interface RelayedPage {
  name: string
  page: Page
}

export interface Meeting {
  relay: Relay
  anna: RelayedPage
  boris: RelayedPage
  close(): Promise<void>
}

/**
 * Two pages with their cameras on and a relay between them, before the call. Anna is the initiator. With a
 * link, media goes through it. Signals take `hop_ms` from a page to the relay, and again from the relay to
 * a page.
 */
export async function meeting(
  browser: Browser,
  script: string,
  { link, hop_ms = 0 }: { link?: SlowLink; hop_ms?: number } = {},
): Promise<Meeting> {
  const relay = new Relay()
  const side = async (name: string, initiator: boolean): Promise<RelayedPage> => {
    const page = await blankPage(browser)
    await link?.attach(page)
    await page.exposeFunction('toRelay', async (line: Parameters<Relay['hear']>[1]) => {
      await hop(hop_ms)
      relay.hear(name, line)
    })
    await page.addScriptTag({ content: script })
    relay.connect(name, initiator, async (told) => {
      await hop(hop_ms)
      await page.evaluate((heard) => duet.hear(heard), told).catch(() => {})
    })
    await page.evaluate(() => duet.media.acquire())
    return { name, page }
  }
  const anna = await side('anna', true)
  const boris = await side('boris', false)
  const close = async () => {
    await Promise.all([anna, boris].map(({ page }) => page.context().close()))
    await link?.close()
  }
  return { relay, anna, boris, close }
}
