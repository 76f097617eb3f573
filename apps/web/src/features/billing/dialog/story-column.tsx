import { CrownIcon } from '@phosphor-icons/react/dist/csr/Crown'
import { Avatar, Petal } from '@duet/ui'
import type { UserInterlocutor } from '@duet/protocol'
import { t } from '../../../shared/i18n.ts'
import { PREMIUM_LINES } from './premium-lines.ts'

interface Story {
  readonly person: UserInterlocutor | undefined
  readonly talked_seconds: number | undefined
  readonly has_minutes: boolean | undefined
}

const SECONDS_A_MINUTE = 60

function getTitle({ person, talked_seconds = 0 }: Story): string {
  if (!person) return t('billing.story.premium')
  const minutes = Math.floor(talked_seconds / SECONDS_A_MINUTE)
  const { nick } = person
  return minutes > 0
    ? t('billing.story.talked', { nick, minutes })
    : t('billing.story.person', { nick })
}

/** The picture column on a desktop: the last person, or Premium in three lines. */
export function StoryColumn(story: Story) {
  const { person, has_minutes } = story
  return (
    <div className="flex h-full flex-col gap-5 bg-[linear-gradient(160deg,var(--ember-lo),var(--surface-2)_60%)] p-7">
      {person ? (
        <Petal
          shape="hers"
          src={person.avatar ?? undefined}
          alt={person.nick}
          className="aspect-[10/11] w-full max-w-[300px]"
        />
      ) : (
        <CrownIcon size={64} weight="duotone" className="text-gold" />
      )}
      <p className="display-s text-balance">{getTitle(story)}</p>
      {person ? (
        <p className="body text-text-2">
          {t(has_minutes ? 'billing.story.low' : 'billing.story.spent')}
        </p>
      ) : (
        <ul className="body flex flex-col gap-2 text-text-2">
          {PREMIUM_LINES.map((line) => (
            <li key={line}>{t(line)}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The same in one line, above the packs on a phone. */
export function StoryLine(story: Story) {
  const { person, has_minutes } = story
  if (!person) return null
  return (
    <p className="mb-4 flex items-center gap-3">
      <Avatar name={person.nick} src={person.avatar} size={48} />
      <span>
        <span className="ui block font-[600]!">{getTitle(story)}</span>
        <span className="note text-text-2">
          {t(has_minutes ? 'billing.story.low' : 'billing.story.spent')}
        </span>
      </span>
    </p>
  )
}
