import type { Page } from 'playwright-core'
import { CANARY_FUNCTION } from '../hostile/hostile-markup.ts'
import { until } from './until.ts'

/** Reports of a browser about its own media and about what a closed tab no longer receives. */
const HARMLESS_CONSOLE = /Failed to load resource|\[vite\]|WebSocket|ERR_ABORTED/

/**
 * Collects every sign that a page takes a text for markup, a script or an address. Signs are a call of the
 * canary, a policy report, an error, a dialog, a window, a request to another server, and an element that
 * the page did not make.
 */
export class PageWatch {
  readonly findings: string[] = []
  readonly #page: Page
  readonly #origin: string
  /** The screen that the user looks at, for the report. */
  place = 'the start'

  private constructor(page: Page, origin: string) {
    this.#page = page
    this.#origin = origin
  }

  /** Watches every document that this page loads from now on. */
  static async of(page: Page, origin: string): Promise<PageWatch> {
    const watch = new PageWatch(page, origin)
    const find = (what: string) => watch.#find(what)
    await page.context().exposeBinding('duetReport', (_source, what: string) => find(what))
    await page.context().addInitScript(reportAll, CANARY_FUNCTION)
    page.on('pageerror', (error) => find(`an error: ${error.message}`))
    page.on('dialog', (dialog) => {
      find(`a question of the browser: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('popup', (popup) => find(`a window: ${popup.url()}`))
    page.on('console', (message) => {
      if (message.type() === 'error' && !HARMLESS_CONSOLE.test(message.text()))
        find(`a report: ${message.text()}`)
    })
    page.on('request', (request) => {
      const { origin: asked, protocol } = new URL(request.url())
      if (/^(?:https?|wss?):$/.test(protocol) && asked.replace(/^ws/, 'http') !== origin)
        find(`a request to ${request.url()}`)
    })
    page.on('framenavigated', (frame) => {
      const url = frame.url()
      // The fingerprint is measured in an empty frame.
      if (frame.parentFrame()) {
        if (!url.startsWith('about:')) find(`a frame: ${url}`)
      } else if (!url.startsWith(origin) && url !== 'about:blank') find(`the page left to ${url}`)
    })
    return watch
  }

  #find(what: string): void {
    this.findings.push(`${this.place}: ${what}`)
  }

  /** Opens an address of the product as a load of the document. */
  async opens(path: string, place = path): Promise<void> {
    this.place = place
    await this.#page.goto(this.#origin + path)
  }

  /**
   * Waits until each of these texts was shown as it was written, and checks every element of the page. Long
   * lists draw only what is in view, so they are scrolled. White space is compared as the browser shows it.
   */
  async shows(texts: readonly string[]): Promise<void> {
    let missing = texts
    await until('every text', async () => {
      missing = await this.#page.evaluate(missingTexts, missing)
      if (missing.length > 0) await this.#page.evaluate(scrollOn)
      return missing.length === 0
    }).catch(() => {})
    for (const text of missing) this.#find(`not shown as written: ${JSON.stringify(text)}`)
    await this.looks()
  }

  /** Looks for elements, handlers and addresses that no component makes. */
  async looks(): Promise<void> {
    for (const odd of await this.#page.evaluate(oddElements)) this.#find(`an element: ${odd}`)
  }
}

/** Runs in the page before its scripts. */
function reportAll(canary: string): void {
  const report = (what: string) =>
    (window as unknown as { duetReport: (what: string) => void }).duetReport(what)
  Object.assign(window, { [canary]: () => report('a text was run') })
  document.addEventListener('securitypolicyviolation', (event) =>
    report(`the policy refused ${event.violatedDirective}: ${event.blockedURI} ${event.sample}`),
  )
}

/** Runs in the page: the texts that are in no element, field or label. */
function missingTexts(texts: readonly string[]): string[] {
  const flat = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
  const shown = [...document.querySelectorAll('body *')].flatMap((element) => [
    (element as HTMLInputElement).value ?? '',
    ...['aria-label', 'alt', 'title'].map((name) => element.getAttribute(name) ?? ''),
  ])
  const all = flat([document.body.textContent, ...shown].join('\n'))
  return texts.filter((text) => !all.includes(flat(text)))
}

/** Runs in the page: the next part of everything that scrolls, and the first one after the last. */
function scrollOn(): void {
  for (const element of document.querySelectorAll('main *, [role=dialog] *')) {
    const end = element.scrollHeight - element.clientHeight
    if (end < 10) continue
    const isAtEnd = element.scrollTop > end - 10
    element.scrollTo({ top: isAtEnd ? 0 : element.scrollTop + element.clientHeight * 0.8 })
  }
}

/** Runs in the page: elements that only a text can have made. */
function oddElements(): string[] {
  const isOdd = (element: Element) =>
    element.matches(
      'object, embed, base, frame, applet, marquee, math, foreignObject, animate, set, meta[http-equiv=refresh]',
    ) ||
    [...element.attributes].some(
      ({ name, value }) =>
        name.startsWith('on') ||
        (name === 'srcdoc' && value.includes('script')) ||
        (/^(?:href|src|action|formaction|xlink:href|srcdoc)$/.test(name) &&
          /^\s*(?:javascript|vbscript|data:text)/i.test(value)),
    )
  return [...document.querySelectorAll('*')]
    .filter((element) => isOdd(element))
    .map((element) => element.outerHTML.slice(0, 200))
}
