import { CrownIcon } from '@phosphor-icons/react/dist/csr/Crown'
import { Avatar, Petal } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { PREMIUM_LINES } from './premium-lines.ts'
import type { Story } from './use-story.ts'

/** The picture column on a desktop: the last person, or Premium in three lines. */
export function StoryColumn({ story }: { story: Story | undefined }) {
  const person = story?.person
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
      <p className="display-s text-balance">{story?.title ?? t('billing.story.premium')}</p>
      {story ? (
        <p className="body text-text-2">{story.text}</p>
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
export function StoryLine({ story: { person, title, text } }: { story: Story }) {
  return (
    <p className="mb-4 flex items-center gap-3">
      <Avatar name={person.nick} src={person.avatar} size={48} />
      <span>
        <span className="ui block font-[600]!">{title}</span>
        <span className="note text-text-2">{text}</span>
      </span>
    </p>
  )
}
