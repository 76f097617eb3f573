import { useEffect, useState } from 'react'
import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import { cx, IconButton } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useStore } from '../../../shared/observable-store.ts'
import { receivedLike } from '../../../shared/people/received-like.ts'
import { useLike } from '../../../shared/people/use-like.ts'
import type { RunningCall } from '../calls-state.ts'

/** Likes the partner. The heart stays filled. */
export function LikeInCall({ call, className }: { call: RunningCall; className?: string }) {
  const { id, user_interlocutor: person } = call.session
  const { busy, isLiked, toggle } = useLike(person, { sessionId: id })
  return (
    <IconButton
      variant="quiet"
      size={44}
      className={className}
      disabled={busy}
      aria-pressed={isLiked}
      label={t('person.like_name', { nick: person.nick })}
      icon={
        <HeartIcon
          size={22}
          weight={isLiked ? 'fill' : 'regular'}
          className={cx(isLiked && 'text-ember-hi')}
        />
      }
      onClick={toggle}
    />
  )
}

const RISES_MS = 900

/** One heart rises when the partner's like arrives in this call. */
export function RisingHeart({ call }: { call: RunningCall }) {
  const like = useStore(receivedLike)
  const [risen, setRisen] = useState(like)
  const isRising = like !== null && like !== risen && like.session_id === call.session.id
  useEffect(() => {
    if (!isRising) return
    const timer = setTimeout(() => setRisen(like), RISES_MS)
    return () => clearTimeout(timer)
  }, [isRising, like])
  if (!isRising) return null
  return (
    <p
      role="status"
      className="pointer-events-none absolute motion-safe:animate-rise inset-x-0 bottom-1/3 z-overlay flex flex-col items-center gap-2"
    >
      <HeartIcon size={72} weight="fill" className="text-ember-hi" />
      <span className="ui rounded-full bg-[rgb(24_17_15/.66)] px-4 py-2 text-text">
        {t(like.mutual ? 'person.like_mutual' : 'person.likes_you', {
          nick: call.session.user_interlocutor.nick,
        })}
      </span>
    </p>
  )
}
