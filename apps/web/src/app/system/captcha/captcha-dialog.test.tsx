import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import type { CaptchaChallenge } from '@duet/protocol/kernel/captcha.ts'
import { captchaView } from '../../../shared/account/captcha-view.ts'
import { dialogs, useDialogStack } from '../../../shared/dialogs.ts'
import { activate, loadTexts, t } from '../../../shared/i18n.ts'
import { CaptchaDialog } from './captcha-dialog.tsx'
import { solveCaptcha } from './solve-captcha.ts'

const CHALLENGES: Record<'turnstile' | 'hcaptcha', CaptchaChallenge> = {
  turnstile: { kind: 'turnstile', key: 'key', action: 'login', cdata: 'session' },
  hcaptcha: { kind: 'hcaptcha', key: 'key' },
}

type Options = Record<string, unknown> & {
  callback(token: string): void
  'error-callback'(): void
  'unsupported-callback'(): void
}
/** The widgets that the provider's script shows now, with the options that the page passed. */
let widgets: { place: HTMLElement; options: Options }[]
let root: Root

const script = {
  render(place: HTMLElement, options: Options) {
    const widget = { place, options }
    widgets.push(widget)
    return widget
  },
  remove(widget: (typeof widgets)[number]) {
    widgets = widgets.filter((one) => one !== widget)
  },
}

/** Whether the script of the provider loads, fails, or never answers. */
let loading: 'loads' | 'fails' | 'hangs'

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener() {},
    removeEventListener() {},
  }))
  vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    const [added] = nodes as [HTMLScriptElement]
    if (loading === 'hangs') return
    if (loading === 'loads') Object.assign(globalThis, { turnstile: script, hcaptcha: script })
    queueMicrotask(() => added.dispatchEvent(new Event(loading === 'loads' ? 'load' : 'error')))
  })
  widgets = []
  loading = 'loads'
  dialogs.closeAll()
  await activate('en')
  await loadTexts('system')
  vi.useFakeTimers()
  root = createRoot(document.body.appendChild(document.createElement('div')))
  act(() => root.render(<Host />))
})
afterEach(() => {
  act(() => root.unmount())
  captchaView.getSnapshot()?.cancel()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  document.body.replaceChildren()
})

function Host() {
  return useDialogStack().map(({ key, name, input }) =>
    name === 'captcha' ? (
      <CaptchaDialog
        key={key}
        input={input as { key: number }}
        open
        close={() => dialogs.close(key)}
      />
    ) : null,
  )
}

const pass = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms))
const button = (text: string) =>
  [...document.querySelectorAll('button')].find((one) => one.textContent === text)!
const press = (text: string) => act(async () => button(text).click())

async function open(kind: 'turnstile' | 'hcaptcha', call = 'MESSAGE') {
  const solved = solveCaptcha(CHALLENGES[kind], call)
  await pass(1)
  return { solved }
}

// A loaded script stays, so the scripts that do not load come first.
test('a script that does not answer in ten seconds gives way to the built-in captcha', async () => {
  loading = 'hangs'
  const { solved } = await open('turnstile')
  expect(document.querySelector('[role=status]')?.textContent).toContain(t('captcha.loading'))
  await pass(9_900)
  expect(dialogs.getSnapshot()).toHaveLength(1)
  await pass(200)
  expect(await solved).toBe('unreachable')
})

test('a script that does not load gives way to the built-in captcha', async () => {
  loading = 'fails'
  const { solved } = await open('turnstile')
  expect(await solved).toBe('unreachable')
})

test.each(['turnstile', 'hcaptcha'] as const)(
  'the answer to %s closes its dialog',
  async (kind) => {
    const { solved } = await open(kind)
    expect(document.body.textContent).toContain(t('captcha.widget_text'))
    expect(widgets).toHaveLength(1)
    expect(widgets[0]!.options).toMatchObject({ sitekey: 'key', theme: 'dark' })
    await act(async () => widgets[0]!.options.callback('token'))
    expect(await solved).toBe('token')
    expect(dialogs.getSnapshot()).toHaveLength(0)
    expect(widgets).toHaveLength(0)
  },
)

test('Cancel, Escape and Back each give the captcha up', async () => {
  for (const giveUp of [
    () => press(t('action.cancel')),
    () =>
      act(async () => {
        document
          .querySelector('[role=dialog]')!
          .dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
      }),
    () => act(async () => dialogs.closeTop()),
  ]) {
    const { solved } = await open('turnstile')
    await giveUp()
    expect(await solved).toBeUndefined()
    expect(dialogs.getSnapshot()).toHaveLength(0)
  }
})

test('a check that fails can be tried again; the second failure is answered with the built-in captcha', async () => {
  const { solved } = await open('turnstile')
  await act(async () => widgets[0]!.options['error-callback']())
  expect(document.body.textContent).toContain(t('captcha.failed_title'))
  expect(widgets).toHaveLength(0)
  expect(document.activeElement?.textContent).toBe(t('action.retry'))
  await press(t('action.retry'))
  await pass(1)
  await act(async () => widgets[0]!.options['error-callback']())
  expect(await solved).toBe('unreachable')
})

test('a browser that the provider does not support gets the built-in captcha', async () => {
  const { solved } = await open('turnstile')
  await act(async () => widgets[0]!.options['unsupported-callback']())
  expect(await solved).toBe('unreachable')
})

test('a call in the background opens no dialog, and one that a press began does', async () => {
  const activation = { isActive: false }
  vi.stubGlobal('navigator', { ...navigator, userActivation: activation })
  const { solved: background } = await open('turnstile', 'GET girl/{ref_code}')
  expect(await background).toBeUndefined()
  expect(dialogs.getSnapshot()).toHaveLength(0)
  activation.isActive = true
  await open('turnstile', 'GET girl/{ref_code}')
  expect(dialogs.getSnapshot()).toHaveLength(1)
})

test('a captcha of AUTH that was given up is asked for again by a press only', async () => {
  dispatchEvent(new Event('pointerdown'))
  const { solved } = await open('turnstile', 'AUTH')
  expect(dialogs.getSnapshot()).toHaveLength(1)
  dispatchEvent(new Event('pointerdown'))
  await press(t('action.cancel'))
  expect(await solved).toBeUndefined()
  const { solved: again } = await open('turnstile', 'AUTH')
  expect(await again).toBeUndefined()
  dispatchEvent(new Event('pointerdown'))
  await open('turnstile', 'AUTH')
  expect(dialogs.getSnapshot()).toHaveLength(1)
})

test('a press asks for the captcha of AUTH again also where the network is slow', async () => {
  vi.stubGlobal('navigator', { ...navigator, userActivation: { isActive: false } })
  dispatchEvent(new Event('pointerdown'))
  await open('turnstile', 'AUTH')
  await press(t('action.cancel'))
  await pass(60_000)
  dispatchEvent(new Event('pointerdown'))
  await pass(12_000)
  await open('turnstile', 'AUTH')
  expect(dialogs.getSnapshot()).toHaveLength(1)
})
