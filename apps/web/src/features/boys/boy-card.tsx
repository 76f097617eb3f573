import { ChatCircleTextIcon } from '@phosphor-icons/react/dist/csr/ChatCircleText'
import type { Boy } from '@duet/protocol'
import { IconButton } from '@duet/ui'
import { useNow } from '../../shared/controls/use-time.ts'
import { t } from '../../shared/i18n.ts'
import { CallButton } from '../../shared/people/call-button.tsx'
import { HeartButton } from '../../shared/people/card/heart-button.tsx'
import { usePerson } from '../../shared/people/people.ts'
import { PortraitCard } from '../../shared/people/card/portrait-card.tsx'
import { stillKnown } from '../../shared/people/use-call.ts'
import { useWrite } from '../../shared/people/use-write.ts'
import { timeAgo } from '../../shared/texts/time-ago.ts'

const MINUTE_MS = 60_000

/** A guy with the ways to him: invite, write, favourite. */
export function BoyCard({ boy }: { boy: Boy }) {
  const known = usePerson(boy.id) ?? boy
  // The widths of an older record belong to another picture.
  const person = { ...boy, ...known, avatar_variants: known.avatar_variants }
  const { nick } = person
  const writing = useWrite(person)
  const nowMs = useNow(MINUTE_MS, boy.last_talk !== undefined)
  return (
    <PortraitCard
      person={person}
      note={boy.last_talk && t('boys.last_talk', { ago: timeAgo(boy.last_talk, nowMs) })}
      actions={
        <>
          <CallButton
            person={person}
            known={stillKnown({ ...boy, can_call: boy.can_invite }, person)}
            invites
            size={44}
            variant="primary"
            className="min-w-0 flex-1"
          />
          <IconButton
            variant="glass"
            label={t('person.write_to', { nick })}
            busy={writing.busy}
            icon={<ChatCircleTextIcon size={20} className="text-white" />}
            onClick={writing.write}
          />
        </>
      }
    >
      <HeartButton person={person} className="absolute! end-2 top-2" />
    </PortraitCard>
  )
}
