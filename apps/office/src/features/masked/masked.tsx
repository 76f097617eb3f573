import type { MaskedCase, MaskedWriter } from '@duet/protocol'
import { api } from '../../shared/api.ts'
import { CaseState, useCaseLook } from '../../shared/queue/case-look.tsx'
import { QueuePage } from '../../shared/queue/queue-page.tsx'
import type { QueueShape } from '../../shared/queue/queue-shape.ts'
import { t } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { TranslatedTexts, UserText } from '../../shared/translation/translated-texts.tsx'
import { UserDecision } from '../../shared/queue/user-decision.tsx'
import { personName } from '../../shared/person-name.ts'

const shape: QueueShape<MaskedWriter> = {
  queue: 'masked',
  title: t('office.nav.masked'),
  list: ({ page }) => api.get('v2/manager/masked', { 'per-page': 50, page }),
  idOf: ({ user }) => String(user.id),
  claimOf: ({ claim }) => claim,
  sinceOf: ({ first_at }) => first_at,
  row: ({ user, messages, call_texts }) => ({
    title: personName(user),
    text: t('office.masked.counts', { messages, calls: call_texts }),
  }),
  detail: MaskedView,
}

export function Masked() {
  return <QueuePage shape={shape} />
}

function MaskedView({ item, onDecided }: { item: MaskedWriter; onDecided: () => void }) {
  const look = useCaseLook(['masked', item.user.id], () =>
    api.get('v2/manager/masked/{id}', { id: item.user.id }),
  )
  const { data } = look
  if (!data) return <CaseState look={look} />
  const lines = data.texts.flatMap(({ before, original, after }) => [
    ...before.map(({ text }) => text),
    original,
    ...after.map(({ text }) => text),
  ])
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto lg:flex-row lg:overflow-hidden">
      <div className="flex min-w-0 flex-1 flex-col gap-4 p-4 lg:overflow-y-auto">
        <p className="text-text-2">{t('office.masked.earlier', { count: data.earlier })}</p>
        {data.texts.length === 0 && <p className="text-text-2">{t('office.masked.none')}</p>}
        <TranslatedTexts texts={lines}>
          <ul className="flex flex-col gap-3">
            {data.texts.map((text, index) => (
              <MaskedText key={index} user={data.user} text={text} />
            ))}
          </ul>
        </TranslatedTexts>
        {data.is_more && <p className="text-text-2">{t('office.masked.more')}</p>}
      </div>
      <UserDecision
        caseId={String(data.user.id)}
        user={data.user}
        reasons={{ rule: 'contacts', ban: 'other' }}
        disabled={data.texts.length === 0}
        send={(given) =>
          api.post('v2/manager/masked/{id}/decide', {
            id: data.user.id,
            view_id: data.view_id,
            ...given,
          })
        }
        onDecided={onDecided}
      />
    </div>
  )
}

function MaskedText({
  user,
  text,
}: {
  user: MaskedCase['user']
  text: MaskedCase['texts'][number]
}) {
  const partner = personName(text.partner)
  const own = personName(user)
  const lines = (all: typeof text.before) =>
    all.map((line, index) => (
      <p key={index} className="break-words text-text-2">
        {line.sender_id === user.id ? own : partner}: <UserText>{line.text}</UserText>
      </p>
    ))
  return (
    <li className="flex flex-col gap-1 rounded-field bg-surface-1 p-3">
      <p className="flex items-baseline justify-between gap-2 text-text-2">
        {t(text.kind === 'call' ? 'office.masked.in_call' : 'office.masked.in_message', {
          name: partner,
        })}
        <time dateTime={text.at}>{shortTime(text.at)}</time>
      </p>
      {lines(text.before)}
      <p className="font-medium break-words">
        <UserText>{text.original}</UserText>
      </p>
      <p className="break-words text-text-2">{t('office.masked.seen', { text: text.masked })}</p>
      {lines(text.after)}
    </li>
  )
}
