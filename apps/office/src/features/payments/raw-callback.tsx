import type { KeptCallback } from '@duet/protocol'
import { t, textOr } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { whyRefused } from './payment-texts.ts'
import { RawText } from './raw-text.tsx'

/** A callback as it arrived, with its verdict. */
export function RawCallback({ callback }: { callback: KeptCallback }) {
  const { method, request_method, address, query, headers, body, verdict, why, settled } = callback
  const parts = [
    [t('office.callback.query'), query],
    [t('office.callback.headers'), headers === '{}' ? '' : headers],
    [t('office.callback.body'), body],
  ] as const
  return (
    <div className="flex min-w-0 flex-col gap-2 rounded-field bg-surface-1 p-3">
      <p className="flex flex-wrap items-baseline justify-between gap-2">
        <span className="font-medium">
          {textOr(`office.callback.verdict.${verdict}`, verdict)}
          {why !== null && ` · ${whyRefused(why)}`}
        </span>
        <time className="text-text-2" dateTime={callback.at}>
          {shortTime(callback.at)}
        </time>
      </p>
      <p className="text-text-2">
        {t('office.callback.from')}{' '}
        <bdi dir="ltr">{`${address} · ${request_method} ${method}`}</bdi>
      </p>
      {parts.map(([name, text]) => text !== '' && <RawText key={name} title={name} text={text} />)}
      {settled && (
        <p className="break-words text-text-2">
          {t('office.callback.settled', {
            name: settled.by,
            time: shortTime(settled.at),
            why: settled.why,
          })}
        </p>
      )}
    </div>
  )
}
