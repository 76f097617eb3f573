import { useEffect, useRef } from 'react'
import type { CaptchaChallenge } from '@duet/protocol/kernel/captcha.ts'
import { loadScript } from './load-script.ts'

type ProviderChallenge = Exclude<CaptchaChallenge, { kind: 'altcha' }>

interface WidgetOptions {
  readonly sitekey: string
  readonly action?: string
  readonly cData?: string
  readonly callback: (token: string) => void
  readonly 'error-callback': () => void
  readonly 'expired-callback': () => void
}

/** The scripts of both providers offer this. */
interface ProviderScript {
  render(element: HTMLElement, options: WidgetOptions): unknown
  remove(widget: unknown): void
}

declare global {
  var turnstile: ProviderScript | undefined
  var hcaptcha: ProviderScript | undefined
}

/** The payload of a browser that cannot load the provider's script. */
const CAPTCHA_UNREACHABLE = 'unreachable'

const SCRIPTS = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
  hcaptcha: 'https://js.hcaptcha.com/1/api.js?render=explicit',
} as const

interface ProviderWidgetProps {
  challenge: ProviderChallenge
  onAnswer: (payload: string) => void
  onFailure: () => void
}

/** The check of Turnstile or hCaptcha. A script that does not load is answered with `unreachable`: then ALTCHA is solved. */
export function ProviderWidget({ challenge, onAnswer, onFailure }: ProviderWidgetProps) {
  const place = useRef<HTMLDivElement>(null)
  const handlers = useRef({ onAnswer, onFailure })
  useEffect(() => {
    handlers.current = { onAnswer, onFailure }
  })
  useEffect(() => {
    let remove = () => {}
    let isGone = false
    loadScript(SCRIPTS[challenge.kind]).then(
      () => {
        const script = globalThis[challenge.kind]
        if (isGone || !place.current) return
        if (!script) return handlers.current.onAnswer(CAPTCHA_UNREACHABLE)
        const widget = script.render(place.current, {
          ...fieldsOf(challenge),
          callback: (token) => handlers.current.onAnswer(token),
          'error-callback': () => handlers.current.onFailure(),
          'expired-callback': () => handlers.current.onFailure(),
        })
        remove = () => script.remove(widget)
      },
      () => handlers.current.onAnswer(CAPTCHA_UNREACHABLE),
    )
    return () => {
      isGone = true
      remove()
    }
  }, [challenge])
  return <div ref={place} className="flex min-h-[78px] justify-center" />
}

function fieldsOf(
  challenge: ProviderChallenge,
): Pick<WidgetOptions, 'sitekey' | 'action' | 'cData'> {
  return challenge.kind === 'turnstile'
    ? { sitekey: challenge.key, action: challenge.action, cData: challenge.cdata }
    : { sitekey: challenge.key }
}
