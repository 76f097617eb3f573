import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext } from 'playwright-core'

/**
 * The check of Turnstile: a frame of another origin in the place that the page gives. The token repeats the
 * input of the widget, as the provider's own token does.
 */
const TURNSTILE_SCRIPT = `
window.turnstile = {
  render(place, options) {
    const frame = document.createElement('iframe')
    frame.title = 'Widget containing a Cloudflare security challenge'
    frame.style.cssText = 'width:300px;height:65px;border:0'
    frame.src = 'https://challenges.cloudflare.com/frame'
    const listen = ({ source, data }) => {
      if (source !== frame.contentWindow) return
      if (data === 'passed') options.callback('token.' + crypto.randomUUID() + '.' + btoa(JSON.stringify({ action: options.action, cdata: options.cData })))
      if (data === 'failed') options['error-callback']('300030')
    }
    addEventListener('message', listen)
    place.append(frame)
    return { frame, listen }
  },
  remove({ frame, listen }) {
    removeEventListener('message', listen)
    frame.remove()
  },
}`

/** The check of hCaptcha: a box in the place that the page gives; the question lies over the page, at the end of its body. */
const HCAPTCHA_SCRIPT = `
window.hcaptcha = {
  render(place, options) {
    const getFrame = (title, path, style) => {
      const frame = document.createElement('iframe')
      frame.title = title
      frame.src = 'https://newassets.hcaptcha.com/' + path
      frame.style.cssText = style
      return frame
    }
    const box = getFrame('Widget containing checkbox for hCaptcha security challenge', 'box', 'width:302px;height:76px;border:0')
    const question = document.createElement('div')
    question.style.cssText = 'position:fixed;inset:0;z-index:2147483647;display:none'
    const behind = document.createElement('div')
    behind.style.cssText = 'position:fixed;inset:0;background:#fff;opacity:.05'
    const inner = getFrame('Main content of the hCaptcha challenge', 'question', 'position:absolute;top:120px;left:20px;width:320px;height:360px;border:1px solid #888')
    question.append(behind, inner)
    document.body.append(question)
    behind.onclick = () => { question.style.display = 'none' }
    const listen = ({ source, data }) => {
      if (source === box.contentWindow && data === 'passed') question.style.display = 'block'
      if (source === inner.contentWindow && data === 'passed') {
        question.style.display = 'none'
        options.callback('token.' + crypto.randomUUID() + '.' + btoa('{}'))
      }
    }
    addEventListener('message', listen)
    place.append(box)
    return { box, question, listen }
  },
  remove({ box, question, listen }) {
    removeEventListener('message', listen)
    box.remove()
    question.remove()
  },
}`

const getFrame = (
  passes: string,
  fails: string,
) => `<!doctype html><body style="font:16px sans-serif;margin:8px">
<button style="height:44px" onclick="parent.postMessage('passed', '*')">${passes}</button>
<button style="height:44px" onclick="parent.postMessage('failed', '*')">${fails}</button>`

/** A provider of captchas: it verifies the tokens of its widgets, and answers a browser in the place of its real addresses. */
export class CaptchaProviderStandIn {
  readonly #server: Server
  readonly origin: string
  /** The tokens that were verified; each is good once. */
  readonly #used = new Set<string>()

  private constructor(server: Server) {
    this.#server = server
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async start(): Promise<CaptchaProviderStandIn> {
    let verify = (_token: string): object => ({ success: false })
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const token = new URLSearchParams(Buffer.concat(chunks).toString()).get('response') ?? ''
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(verify(token)))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const provider = new CaptchaProviderStandIn(server)
    verify = (token) => provider.#verify(token)
    return provider
  }

  #verify(token: string): object {
    if (this.#used.has(token)) return { success: false, 'error-codes': ['timeout-or-duplicate'] }
    this.#used.add(token)
    return { success: true, ...(JSON.parse(atob(token.split('.')[2]!)) as object) }
  }

  /** Answers what the pages of this browser ask of both providers. */
  async serve(context: BrowserContext): Promise<void> {
    const script = (body: string) => ({ contentType: 'text/javascript', body })
    const page = (body: string) => ({ contentType: 'text/html', body })
    await context.route('https://challenges.cloudflare.com/**', (route) =>
      route.fulfill(
        route.request().url().includes('/api.js')
          ? script(TURNSTILE_SCRIPT)
          : page(getFrame('Verify you are human', 'Fail')),
      ),
    )
    await context.route(/https:\/\/\w+\.hcaptcha\.com\//, (route) => {
      const url = route.request().url()
      if (url.includes('/api.js')) return route.fulfill(script(HCAPTCHA_SCRIPT))
      return route.fulfill(page(getFrame(url.endsWith('box') ? 'I am human' : 'Submit', 'Skip')))
    })
  }

  /** Lets nothing of both providers reach this browser, as a content blocker does. */
  static async block(context: BrowserContext): Promise<void> {
    await context.route(/https:\/\/(challenges\.cloudflare|\w+\.hcaptcha)\.com\//, (route) =>
      route.abort(),
    )
  }

  async close(): Promise<void> {
    this.#server.close()
    await once(this.#server, 'close')
  }
}
