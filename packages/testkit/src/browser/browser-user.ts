import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'

export type Screen = 'desktop' | 'phone'

const SIZES: Record<Screen, { width: number; height: number }> = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
}
/** Long enough for a machine that is busy with other work. */
const WAIT_MS = 90_000

interface Who {
  nick: string
  user_id: number
  screen: Screen
  token: string
}

/** A user with a browser of their own, who knows only what the screen shows. */
export class BrowserUser {
  readonly nick: string
  readonly user_id: number
  readonly screen: Screen
  readonly #context: BrowserContext
  page: Page

  private constructor(context: BrowserContext, page: Page, { nick, user_id, screen }: Who) {
    this.#context = context
    this.page = page
    this.nick = nick
    this.user_id = user_id
    this.screen = screen
  }

  /** A visitor without an account, at this address. */
  static async visit(browser: Browser, address: string, screen: Screen): Promise<BrowserUser> {
    const visitor = { nick: 'a visitor', user_id: 0, screen, token: '' }
    const person = await BrowserUser.#open(browser, visitor)
    await person.page.goto(address)
    return person
  }

  static async #open(browser: Browser, who: Who): Promise<BrowserUser> {
    const context = await browser.newContext({
      viewport: SIZES[who.screen],
      permissions: ['camera', 'microphone'],
      hasTouch: who.screen === 'phone',
      locale: 'en',
    })
    context.setDefaultTimeout(WAIT_MS)
    return new BrowserUser(context, await context.newPage(), who)
  }

  static async enter(browser: Browser, origin: string, who: Who): Promise<BrowserUser> {
    const person = await BrowserUser.#open(browser, who)
    await person.#context.addInitScript(keepToken, who.token)
    await person.page.goto(`${origin}/`)
    await person.isIdle()
    return person
  }

  /** On the own start screen, not the visitors' page. */
  async isIdle(): Promise<void> {
    await this.sees(this.heading(/^(Ready to say hello|Good (morning|afternoon|evening))/))
  }

  get start_button(): Locator {
    return this.page
      .getByRole('main')
      .getByRole('button', { name: /^Start (chatting|a video chat)$/ })
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name })
  }

  heading(name: string | RegExp): Locator {
    return this.page.getByRole('heading', { name })
  }

  /** For a developer who looks at the screens: `SHOTS=folder` saves a picture of the page. */
  async shot(name: string): Promise<void> {
    const { SHOTS } = process.env
    if (SHOTS) await this.page.screenshot({ path: `${SHOTS}/${name}.png` })
  }

  async sees(what: Locator): Promise<void> {
    try {
      await what.first().waitFor({ state: 'visible' })
    } catch (error) {
      throw new Error(`${this.nick} never saw ${what}; on the screen: ${await this.#words()}`, {
        cause: error,
      })
    }
  }

  /** Waits until the screen does not show it. */
  async seesNo(what: Locator): Promise<void> {
    await what.first().waitFor({ state: 'hidden' })
  }

  async #words(): Promise<string> {
    const words = await this.page
      .locator('body')
      .innerText({ timeout: 1000 })
      .catch(() => 'nothing')
    return words.replaceAll(/\s+/g, ' ').slice(0, 400)
  }

  async starts(): Promise<void> {
    await this.start_button.click()
    await this.sees(
      this.heading('Looking for someone to say hello to').or(this.button(/^Say hello/)),
    )
  }

  /** Presses Say hello on the card of the named user. */
  async saysHelloTo(nick: string): Promise<void> {
    await this.sees(this.heading(new RegExp(`^${nick}`)))
    await this.button(/^Say hello/).click()
  }

  /** In the call with the named user, with her picture painted and the next picture different. */
  async isInCallWith(nick: string): Promise<void> {
    await this.sees(this.page.getByRole('main', { name: `Video chat with ${nick}` }))
    await this.sees(this.meter)
    await this.seesMovingPicture()
  }

  get meter(): Locator {
    return this.page.locator('[data-meter]')
  }

  async meterIs(phase: 'free' | 'quota' | 'paid' | 'paused'): Promise<void> {
    await this.sees(this.page.locator(`[data-meter="${phase}"]`))
  }

  /** Frames were decoded, and what is on the screen changes: not a still, not a black surface. */
  async seesMovingPicture(): Promise<void> {
    const moving = this.page.waitForFunction(
      () => {
        const video = document.querySelector<HTMLVideoElement>('[data-remote-picture]')
        if (!video || video.readyState < 2) return false
        const canvas = document.createElement('canvas')
        canvas.width = 64
        canvas.height = 48
        const context = canvas.getContext('2d')!
        context.drawImage(video, 0, 0, canvas.width, canvas.height)
        const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
        const seen = window as unknown as { duet_frames?: Set<string> }
        seen.duet_frames ??= new Set()
        if (data.some((value, index) => index % 4 !== 3 && value > 24))
          seen.duet_frames.add(data.join())
        return seen.duet_frames.size >= 3 && video.getVideoPlaybackQuality().totalVideoFrames >= 3
      },
      undefined,
      { polling: 100, timeout: WAIT_MS },
    )
    await moving.catch(async (cause: unknown) => {
      throw new Error(`${this.nick} saw no moving picture; on the screen: ${await this.#words()}`, {
        cause,
      })
    })
    await this.page.evaluate(
      () => delete (window as unknown as { duet_frames?: unknown }).duet_frames,
    )
  }

  get composer(): Locator {
    return this.page.locator('[data-composer]')
  }

  async says(text: string): Promise<void> {
    await this.composer.fill(text)
    await this.composer.press('Enter')
  }

  async reads(text: string): Promise<void> {
    await this.sees(this.page.getByText(text, { exact: true }))
  }

  /** Somewhere in the log of this call, which a phone keeps in a sheet. */
  async seesText(text: string): Promise<void> {
    if (this.screen === 'phone') {
      await this.wakesControls()
      await this.page.keyboard.press('h')
    }
    await this.sees(this.page.getByRole('log').getByText(text, { exact: true }))
  }

  async presses(name: string | RegExp): Promise<void> {
    await this.wakesControls()
    await this.button(name).click()
  }

  /** Controls that left the face alone come back at a touch. */
  async wakesControls(): Promise<void> {
    await this.page.mouse.move(200, 300)
    await this.page.mouse.move(220, 320)
  }

  async reloads(): Promise<void> {
    await this.page.reload()
  }

  /** Another tab of the same device: it has the same login and an id of its own. */
  async opensSecondTab(origin: string, path = '/'): Promise<Page> {
    const tab = await this.#context.newPage()
    await tab.goto(origin + path)
    return tab
  }

  /** The page that this user looks at from now on. */
  looksAt(page: Page): void {
    this.page = page
  }

  async closesTab(): Promise<void> {
    await this.page.close()
  }

  async hasCamera(): Promise<boolean> {
    return this.page.evaluate(() => {
      const video = document.querySelector<HTMLVideoElement>('[data-own-picture]')
      return (
        video?.srcObject instanceof MediaStream &&
        video.srcObject.getVideoTracks().some((track) => track.readyState === 'live')
      )
    })
  }

  async leave(): Promise<void> {
    await this.#context.close()
  }
}

/** As after a login of an earlier visit. */
function keepToken(token: string): void {
  localStorage.setItem('duet.token', JSON.stringify(token))
  localStorage.setItem('duet.member', 'true')
}

/** Both meet by search and say hello. */
export async function meet(she: BrowserUser, he: BrowserUser): Promise<void> {
  await she.starts()
  await he.starts()
  await Promise.all([she.saysHelloTo(he.nick), he.saysHelloTo(she.nick)])
  await Promise.all([she.isInCallWith(he.nick), he.isInCallWith(she.nick)])
}
