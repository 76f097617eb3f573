import type { ReactNode } from 'react'
import type { ComplaintCase, DeskComplaint, TimelineEntry } from '@duet/protocol'
import texts from '@duet/locales/en/office-removal.json'
import { cx } from '@duet/ui/class-names.ts'
import { personName } from '../person-name.ts'
import { addTexts, t, textOr } from '../texts.ts'
import { elapsedTime, shortTime } from '../times.ts'
import { UserText } from '../translation/translated-texts.tsx'

addTexts(texts)

interface TimelineProps {
  shown: ComplaintCase
  /** The frame that the strip shows large. */
  frame: string | undefined
  onFrame: (id: string | undefined) => void
}

/** The case in the order of time. Texts that the recipient did not see whole and flagged frames are marked. */
export function Timeline({ shown, frame, onFrame }: TimelineProps) {
  const { complaint, call, timeline } = shown
  const begun = call?.connected_at ?? call?.opened_at
  const timeOf = (at: string) => (begun && at >= begun ? elapsedTime(begun, at) : shortTime(at))
  return (
    <section
      aria-label={t('office.timeline')}
      className="shrink-0 rounded-field shadow-[inset_0_0_0_1px_var(--hair)]"
    >
      <ol className="grid grid-cols-[auto_minmax(0,1fr)] py-1 md:grid-cols-[auto_auto_minmax(0,1fr)]">
        {timeline.map((entry, index) => (
          <li
            key={index}
            className={cx(
              'col-span-full grid grid-cols-subgrid gap-x-4 px-3 py-1',
              isMarked(entry) && 'bg-danger-lo',
            )}
          >
            <time className="text-text-3 tabular-nums" dateTime={entry.at}>
              {timeOf(entry.at)}
            </time>
            <span className="max-w-[120px] truncate text-text-2">
              {'user_id' in entry && sideName(complaint, entry.user_id)}
            </span>
            <span className="col-span-full min-w-0 break-words md:col-span-1">
              {entry.type === 'frame' ? (
                <button
                  type="button"
                  aria-pressed={entry.id === frame}
                  className="text-text-2 underline"
                  onClick={() => onFrame(entry.id === frame ? undefined : entry.id)}
                >
                  {t(entry.is_flagged ? 'office.timeline.flagged' : 'office.timeline.frame')}
                </button>
              ) : (
                <EntryText entry={entry} />
              )}
              {isReported(entry) && (
                <strong className="text-danger"> {t('office.removal.reported')}</strong>
              )}
            </span>
          </li>
        ))}
      </ol>
      <p className="border-t border-hair px-3 py-2">
        <span className="text-text-2">{t('office.comment')}</span>{' '}
        {complaint.comment === '' ? (
          t('office.no_comment')
        ) : (
          <UserText>{complaint.comment}</UserText>
        )}
      </p>
    </section>
  )
}

/** A case that staff opened has messages with others than the two, who have a number here. */
export function sideName({ accused, complainer }: DeskComplaint, user_id: number): string {
  const sides = [accused, complainer].filter((side) => side !== null)
  return personName(sides.find(({ id }) => id === user_id) ?? { id: user_id, nick: null })
}

function isMarked(entry: TimelineEntry): boolean {
  if (isReported(entry)) return true
  return (entry.type === 'text' && entry.is_masked) || (entry.type === 'frame' && entry.is_flagged)
}

function isReported(entry: TimelineEntry): boolean {
  return (entry.type === 'text' || entry.type === 'image') && entry.is_reported
}

function EntryText({ entry }: { entry: Exclude<TimelineEntry, { type: 'frame' }> }): ReactNode {
  if (entry.type === 'text')
    return (
      <>
        <UserText>{entry.text}</UserText>
        {entry.in_dialog && <span className="text-text-3"> {t('office.timeline.in_dialog')}</span>}
        {entry.is_masked && <span className="text-danger"> {t('office.timeline.masked')}</span>}
      </>
    )
  return <span className="text-text-2">{describe(entry)}</span>
}

function describe(entry: Exclude<TimelineEntry, { type: 'text' | 'frame' }>): string {
  if (entry.type === 'gift') return t('office.timeline.gift', { gift: entry.gift })
  if (entry.type === 'ended')
    return t('office.timeline.ended', {
      reason: textOr(`office.call_end.${entry.reason}`, entry.reason),
    })
  if (entry.type === 'media')
    return t('office.timeline.media', { audio: String(entry.audio), video: String(entry.video) })
  return t(`office.timeline.${entry.type}`)
}
