import type { ComplaintCase } from '@duet/protocol'
import { cx } from '@duet/ui/class-names.ts'
import { t } from '../texts.ts'
import { UserText } from '../translation/translated-texts.tsx'
import { elapsedTime, shortTime } from '../times.ts'
import { personName } from '../person-name.ts'

/** The words of the case: the comment of the complaint, the texts of the call, and the last messages of the two. */
export function Transcript({ shown }: { shown: ComplaintCase }) {
  const { comment } = shown.complaint
  const begun = shown.call?.connected_at ?? shown.call?.opened_at
  return (
    <section
      aria-label={t('office.transcript')}
      className="rounded-field shadow-[inset_0_0_0_1px_var(--hair)]"
    >
      <p className="border-b border-hair px-3 py-2">
        <span className="text-text-2">{t('office.comment')}</span>{' '}
        {comment === '' ? t('office.no_comment') : <UserText>{comment}</UserText>}
      </p>
      {shown.texts.length + shown.messages.length === 0 && (
        <p className="px-3 py-2 text-text-2">{t('office.no_texts')}</p>
      )}
      <Lines
        title={t('office.transcript.call')}
        shown={shown}
        lines={shown.texts}
        timeOf={(at) => (begun ? elapsedTime(begun, at) : shortTime(at))}
      />
      <Lines
        title={t('office.transcript.messages')}
        shown={shown}
        lines={shown.messages}
        timeOf={shortTime}
      />
    </section>
  )
}

interface LinesProps {
  title: string
  shown: ComplaintCase
  lines: ComplaintCase['texts']
  timeOf: (at: string) => string
}

/** A line that the recipient did not see whole is marked. */
function Lines({ title, shown, lines, timeOf }: LinesProps) {
  const { accused, complainer } = shown.complaint
  if (lines.length === 0) return null
  return (
    <>
      <h3 className="px-3 pt-2 text-text-3">{title}</h3>
      <ol className="grid grid-cols-[auto_minmax(0,1fr)] pb-2 md:grid-cols-[auto_auto_minmax(0,1fr)]">
        {lines.map((line, index) => (
          <li
            key={index}
            className={cx(
              'col-span-full grid grid-cols-subgrid gap-x-3 px-3 py-1',
              line.is_masked && 'bg-danger-lo',
            )}
          >
            <time className="text-text-3 tabular-nums" dateTime={line.at}>
              {timeOf(line.at)}
            </time>
            <span
              className={cx(
                'max-w-[120px] truncate',
                line.sender_id === accused.id ? 'font-medium' : 'text-text-2',
              )}
            >
              {personName(line.sender_id === accused.id ? accused : complainer)}
            </span>
            <span className="col-span-full min-w-0 break-words md:col-span-1">
              <UserText>{line.text}</UserText>
              {line.is_masked && (
                <span className="text-danger"> {t('office.transcript.masked')}</span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}
