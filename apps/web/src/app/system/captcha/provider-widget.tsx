import { useEffect, useRef, useState } from 'react'
import { Spinner } from '@duet/ui'
import type { CaptchaChallenge } from '@duet/protocol/kernel/captcha.ts'
import { currentLocale, t } from '../../../shared/i18n.ts'
import { CAPTCHA_UNREACHABLE } from './solve-captcha.ts'

type ProviderChallenge = Exclude<CaptchaChallenge, { kind: 'altcha' }>

/**
 * The options of both scripts. `action` and `cData` are for Turnstile. Each script names the language in its own way.
 */
interface WidgetOptions {
  readonly sitekey: string
  readonly action?: string
  readonly cData?: string
  readonly language?: string
  readonly hl?: string
  readonly theme: 'light' | 'dark'
  readonly size: 'normal' | 'compact'
  readonly callback: (token: string) => void
  readonly 'error-callback': () => void
  readonly 'unsupported-callback': () => void
}

/** The scripts of both providers offer this. */
interface ProviderScript {
  /** @throws if it does not accept the options */
  render(element: HTMLElement, options: WidgetOptions): unknown
  remove(widget: unknown): void
}

declare global {
  var turnstile: ProviderScript | undefined
  var hcaptcha: ProviderScript | undefined
}

const SCRIPTS = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
  hcaptcha: 'https://js.hcaptcha.com/1/api.js?render=explicit',
} as const
const SCRIPT_LIMIT_MS = 10_000
/** Both widgets are about 300 px wide. A narrower phone gets their small form. */
const NORMAL_WIDTH_PX = 304

interface ProviderWidgetProps {
  challenge: ProviderChallenge
  onAnswer: (payload: string) => void
  onFailure: () => void
}

/** The check of Turnstile or hCaptcha. A script that does not load is answered with `unreachable`: then ALTCHA is solved. */
export function ProviderWidget({ challenge, onAnswer, onFailure }: ProviderWidgetProps) {
  const place = useRef<HTMLDivElement>(null)
  const handlers = useRef({ onAnswer, onFailure })
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    handlers.current = { onAnswer, onFailure }
  })
  useEffect(() => {
    let remove = () => {}
    let isGone = false
    const show = () => {
      if (isGone || !place.current) return
      remove = showWidget(challenge, place.current, {
        callback: (token) => handlers.current.onAnswer(token),
        'error-callback': () => handlers.current.onFailure(),
        'unsupported-callback': () => handlers.current.onAnswer(CAPTCHA_UNREACHABLE),
      })
      setShown(true)
    }
    loadScript(SCRIPTS[challenge.kind], SCRIPT_LIMIT_MS)
      .then(show)
      .catch(() => {
        if (!isGone) handlers.current.onAnswer(CAPTCHA_UNREACHABLE)
      })
    return () => {
      isGone = true
      remove()
    }
  }, [challenge])
  return (
    <>
      {isShown ? null : (
        <p role="status" className="note flex items-center gap-2 text-text-2">
          <Spinner />
          {t('captcha.loading')}
        </p>
      )}
      <div ref={place} className="flex min-h-[78px] justify-center md:justify-start" />
    </>
  )
}

type WidgetHandlers = Pick<WidgetOptions, 'callback' | 'error-callback' | 'unsupported-callback'>

/**
 * Returns the function that removes the widget.
 * @throws if the provider's script does not accept the key or has another interface
 */
function showWidget(
  challenge: ProviderChallenge,
  place: HTMLElement,
  handlers: WidgetHandlers,
): () => void {
  const script = globalThis[challenge.kind]
  if (!script) throw new Error('The script of the captcha provider offers no widget')
  const widget = script.render(place, {
    ...getFields(challenge),
    theme: document.documentElement.dataset.theme === 'light' ? 'light' : 'dark',
    size: place.clientWidth > 0 && place.clientWidth < NORMAL_WIDTH_PX ? 'compact' : 'normal',
    ...handlers,
  })
  return () => script.remove(widget)
}

function getFields(
  challenge: ProviderChallenge,
): Pick<WidgetOptions, 'sitekey' | 'action' | 'cData' | 'language' | 'hl'> {
  if (challenge.kind === 'hcaptcha') return { sitekey: challenge.key, hl: currentLocale() }
  const { key, action, cdata } = challenge
  return { sitekey: key, action, cData: cdata, language: currentLocale() }
}

const loaded = new Map<string, Promise<void>>()

/** Loads a script of another origin once. If a script did not load within the limit, the next call tries again. */
function loadScript(src: string, limitMs: number): Promise<void> {
  const known = loaded.get(src)
  if (known) return known
  const loading = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.async = true
    const giveUp = () => {
      clearTimeout(limit)
      script.remove()
      loaded.delete(src)
      reject(new Error('The script of the captcha provider did not load'))
    }
    // A firewall that drops packets lets the browser wait for minutes.
    const limit = setTimeout(giveUp, limitMs)
    script.addEventListener('load', () => {
      clearTimeout(limit)
      resolve()
    })
    script.addEventListener('error', giveUp)
    document.head.append(script)
  })
  loaded.set(src, loading)
  return loading
}
