import type { DeskPerson, WallCall, WallNetwork, WatchedCall } from '@duet/protocol'
import { cx } from '@duet/ui/class-names.ts'
import { t, textOr } from '../../shared/texts.ts'
import { elapsedTime } from '../../shared/times.ts'
import { personName } from '../../shared/person-name.ts'
import { reasonName } from './reasons.tsx'
import { SignalBars } from './signal-bars.tsx'

/** The parts of the inspector that say how a session is. */

/** The share from which a check is calm, and below which it alarms. */
const CALM_SHARE = 0.6
const ALARM_SHARE = 0.3

/** The checks of her last frame. */
export function Checks({ shown: { frames } }: { shown: WatchedCall }) {
  const nudity = frames[0]?.nudity
  if (nudity === null || nudity === undefined) return null
  const clothed = 1 - nudity
  const tone = clothed >= CALM_SHARE ? 'bg-ok' : clothed < ALARM_SHARE ? 'bg-danger' : 'bg-warn'
  return (
    <section>
      <h3 className="text-text-2">{t('office.wall.checks')}</h3>
      <p className="flex items-center gap-3 py-1">
        <span className="flex-1">{t('office.wall.clothed')}</span>
        <span className="h-1.5 flex-1 overflow-hidden rounded-full bg-surface-3">
          <span
            className={cx('block h-full rounded-full', tone)}
            style={{ width: `${clothed * 100}%` }}
          />
        </span>
        <span className="text-end tabular-nums">
          {t('office.wall.percent', { n: Math.round(clothed * 100) })}
        </span>
      </p>
    </section>
  )
}

const CHART = { width: 300, height: 48 }

/** The network of both, and the picture that she sent in the last minutes. */
export function Networks({ call, bitrates }: { call: WallCall; bitrates: readonly number[] }) {
  return (
    <section className="flex flex-col gap-1">
      <h3 className="text-text-2">{t('office.wall.networks')}</h3>
      <Network person={call.girl} network={call.network.girl} />
      <Network person={call.guy} network={call.network.guy} />
      {bitrates.length > 1 && (
        <figure className="mt-1">
          <svg
            role="img"
            aria-label={t('office.wall.bitrate', { name: personName(call.girl) })}
            viewBox={`0 0 ${CHART.width} ${CHART.height}`}
            preserveAspectRatio="none"
            className="h-12 w-full"
          >
            <polyline
              points={chartPoints(bitrates)}
              vectorEffect="non-scaling-stroke"
              strokeWidth="2"
              className="fill-none stroke-ok"
            />
          </svg>
          <figcaption className="text-text-3">
            {t('office.wall.bitrate', { name: personName(call.girl) })}
          </figcaption>
        </figure>
      )}
    </section>
  )
}

function chartPoints(values: readonly number[]): string {
  const most = Math.max(1, ...values)
  const { width, height } = CHART
  return values
    .map((value, index) => {
      const x = (index / (values.length - 1)) * width
      return `${x.toFixed(1)},${(height - 2 - (value / most) * (height - 4)).toFixed(1)}`
    })
    .join(' ')
}

function Network({ person, network }: { person: DeskPerson; network: WallNetwork }) {
  return (
    <p className="flex items-center gap-2">
      <SignalBars name={personName(person)} network={network} />
      <bdi className="min-w-0 flex-1 truncate">{personName(person)}</bdi>
      <span className="text-end text-text-2 tabular-nums">{networkFigures(network)}</span>
    </p>
  )
}

function networkFigures({ weak, out_kbps, rtt_ms, loss_percent }: WallNetwork): string {
  const figures = [
    weak ? t('office.wall.weak') : undefined,
    out_kbps === null ? undefined : t('office.wall.kbps', { n: Math.round(out_kbps) }),
    rtt_ms === null ? undefined : t('office.wall.delay', { n: Math.round(rtt_ms) }),
    loss_percent === null
      ? undefined
      : t('office.wall.loss', { n: Math.round(loss_percent * 10) / 10 }),
  ].filter((figure) => figure !== undefined)
  return figures.length > 0 ? figures.join(' · ') : t('office.wall.no_report')
}

export function Facts({ shown, call }: { shown: WatchedCall; call: WallCall }) {
  const { gifts, paid_seconds, girl_complaints, guy_complaints } = shown
  const facts: [string, string][] = [
    [t('office.wall.risk'), String(call.risk)],
    [t('office.wall.why'), call.reasons.map(reasonName).join(', ') || t('office.wall.no_reason')],
    [t('office.facts.paid'), t('office.facts.minutes', { n: Math.ceil(paid_seconds / 60) })],
    [t('office.facts.gifts'), String(gifts)],
    [t('office.wall.complaints_about', { name: personName(call.girl) }), String(girl_complaints)],
    [t('office.wall.complaints_about', { name: personName(call.guy) }), String(guy_complaints)],
  ]
  return (
    <dl className="flex flex-col">
      {facts.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-3 py-1">
          <dt className="shrink-0 text-text-2">{name}</dt>
          <dd className="text-end font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The events of the session, the latest first. */
export function Events({ shown: { call, events } }: { shown: WatchedCall }) {
  if (events.length === 0) return null
  return (
    <section>
      <h3 className="text-text-2">{t('office.wall.events')}</h3>
      <ol className="overflow-y-auto" style={{ maxHeight: 160 }} tabIndex={0}>
        {events.map(({ at, name, detail }) => (
          <li key={`${at} ${name}`} className="flex gap-3 py-0.5">
            <time dateTime={at} className="text-text-3 tabular-nums">
              {elapsedTime(call.connected_at ?? call.opened_at, at)}
            </time>
            <span>
              {textOr(`office.wall.event.${name}`, name)}
              {detail !== null && <bdi className="text-text-2"> · {eventDetail(name, detail)}</bdi>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function eventDetail(name: WatchedCall['events'][number]['name'], detail: string): string {
  return name === 'paused' ? textOr(`office.wall.pause.${detail}`, detail) : detail
}
