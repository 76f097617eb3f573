import { toRole } from '@duet/protocol/kernel/roles.ts'
import { CrownSimpleIcon } from '@phosphor-icons/react/dist/csr/CrownSimple'
import { Tag } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { formatCountry, formatLanguage } from '../../../shared/texts/person.ts'
import type { RunningCall } from '../calls-state.ts'
import { Composer } from './composer.tsx'
import { QuickPhrases } from './quick-phrases.tsx'
import { TextLog } from './text-log.tsx'
import { CallTranslationSwitch } from './call-translation.tsx'

/** The text beside the picture. */
export function ChatPanel({ call }: { call: RunningCall }) {
  const { user_interlocutor: person } = call.session
  return (
    <aside
      aria-label={t('word.chat')}
      className="panel flex w-[364px] shrink-0 flex-col overflow-hidden rounded-stage! max-lg:w-[300px]"
    >
      <div className="flex min-h-16 items-center justify-between ps-5 pe-3 pt-3 pb-1">
        <h2 className="title">{t('word.chat')}</h2>
        <CallTranslationSwitch />
      </div>
      <section className="mx-3.5 rounded-row bg-surface-2 p-4 shadow-card">
        <h3 className="note text-text-3">{t('person.about', { nick: person.nick })}</h3>
        {call.about ? (
          <p dir="auto" className="note mt-1.5 line-clamp-4 text-text-2">
            {call.about}
          </p>
        ) : null}
        <div className="mt-2.5 flex flex-wrap gap-1.5">
          {person.is_companion ? <Tag tone="warn">{t('person.companion')}</Tag> : null}
          <Tag>{formatLanguage(person.locale)}</Tag>
          {person.country ? <Tag>{formatCountry(person.country)}</Tag> : null}
          {person.is_top ? (
            <Tag tone="gold" icon={<CrownSimpleIcon size={14} weight="fill" />}>
              {t('matching.offer.top')}
            </Tag>
          ) : null}
          {toRole(person.role) === 'guy' && person.is_premium ? (
            <Tag tone="gold" icon={<CrownSimpleIcon size={14} weight="fill" />}>
              {t('word.premium')}
            </Tag>
          ) : null}
        </div>
      </section>
      <TextLog call={call} />
      <div className="flex flex-col gap-2 overflow-hidden p-3.5 pt-0">
        <QuickPhrases />
        <Composer placeholder={t('video.chat.placeholder', { nick: person.nick })} />
      </div>
    </aside>
  )
}
