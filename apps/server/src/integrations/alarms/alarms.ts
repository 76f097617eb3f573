import { isProtected } from '../../lib/addresses/loopback.ts'
import { StartRefused } from '../../lib/configuration/start-refused.ts'
import { type Installation, pattern, type Values } from '../../lib/configuration/variables.ts'

const ANSWER_LIMIT_MS = 5_000

/** The chat or pager of the people on duty. */
export interface AlarmReceiver {
  /** @throws when the receiver has not taken the alarm */
  send(alarm: Alarm): Promise<void>
}

export interface Alarm {
  /** One sentence. Chat services show it. */
  readonly text: string
  readonly kind: string
  readonly complaint_ids: readonly number[]
  /** Reports of the public forms. */
  readonly report_ids?: readonly number[]
}

export const ALARM_VARIABLES = {
  ALARM_WEBHOOK_URL: pattern('an http(s) address', /^https?:\/\/./).meta({
    secret: true,
    description:
      'Receives a JSON object with `text`, `kind` and `complaint_ids` or `report_ids` when a serious complaint, or a report about a child, waits for longer than 15 minutes, or a reported intimate picture is shown for longer than 30. Managers and owners are also told by mail.',
  }),
}

export function readAlarms(
  { ALARM_WEBHOOK_URL: url }: Values<typeof ALARM_VARIABLES>,
  { production }: Installation,
): string | undefined {
  if (url === undefined) return undefined
  if (!URL.canParse(url)) throw new StartRefused('ALARM_WEBHOOK_URL must be an http(s) address.')
  if (production && !isProtected(new URL(url).origin))
    throw new StartRefused('ALARM_WEBHOOK_URL must be https:// when NODE_ENV is production.')
  return url
}

export function createAlarmWebhook(url: string, limitMs = ANSWER_LIMIT_MS): AlarmReceiver {
  return {
    async send(alarm) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(alarm),
        redirect: 'error',
        signal: AbortSignal.timeout(limitMs),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`the receiver of alarms answered ${response.status}`)
    },
  }
}
