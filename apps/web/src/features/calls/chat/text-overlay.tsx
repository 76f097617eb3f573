import { cx } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useLocalMedia } from '../../../shared/video/local-media.tsx'
import { ON_PICTURE } from '../../../shared/video/on-picture.ts'
import { useOwnUser } from '../../../shared/account/own-user.tsx'
import { GiftControl } from '../../../shared/gifts/gift-button.tsx'
import { useNow } from '../../../shared/controls/use-time.ts'
import type { CallText, RunningCall } from '../calls-state.ts'
import { Composer } from './composer.tsx'
import { AskPrivate, BreakAfter, Camera } from '../screen/dock.tsx'
import { FADES } from '../screen/fades.ts'
import { useTextTranslation } from './call-translation.tsx'
import { LikeInCall } from '../screen/like-in-call.tsx'
import { useSideways } from '../screen/use-phone.ts'

const SHOWN = 2
const SHOWN_FOR_MS = 8_000

/** The last two lines on the picture, and a line to answer in. A touch opens the rest. */
export function TextOverlay({ call, onOpen }: { call: RunningCall; onOpen: () => void }) {
  const { id: own_id, role } = useOwnUser()
  const { cameras } = useLocalMedia()
  const isSideways = useSideways()
  const nowMs = useNow(1000, call.texts.length > 0)
  const latest = call.texts.slice(-SHOWN).filter(({ at_ms }) => nowMs - at_ms < SHOWN_FOR_MS)
  const small = 'h-11! min-w-11!'
  return (
    <div className={cx('flex flex-col gap-3', isSideways && 'w-[min(480px,56vw)] self-start')}>
      {latest.length > 0 ? (
        <button
          type="button"
          onClick={onOpen}
          aria-label={t('video.chat.open')}
          className="flex flex-col items-start gap-1.5 text-start"
        >
          {latest.map((text) => (
            <OverlayText key={`${text.sender_id}-${text.id}`} text={text} own_id={own_id} />
          ))}
        </button>
      ) : null}
      <div className={cx('flex items-center gap-2', FADES)}>
        <Composer placeholder={t('video.chat.placeholder_short')} onPicture />
        {cameras.length > 1 ? <Camera className={small} /> : null}
        <AskPrivate call={call} className={cx(small, ON_PICTURE)} />
        {role === 'girl' ? (
          <BreakAfter call={call} className={cx(small, !call.session.break_set && ON_PICTURE)} />
        ) : null}
        <GiftControl
          person={call.session.user_interlocutor}
          session_id={call.session.id}
          className={small}
        />
        <LikeInCall call={call} className={ON_PICTURE} />
      </div>
    </div>
  )
}

function OverlayText({ text, own_id }: { text: CallText; own_id: number }) {
  const shown = useTextTranslation(text, own_id)?.shown
  return (
    <span
      dir="auto"
      lang={shown?.locale}
      className={cx(
        'bubble-type max-w-[82%] rounded-bubble px-4 py-2.5 wrap-anywhere text-text',
        text.sender_id === own_id
          ? 'self-end rounded-ee-[6px] bg-ember-lo/80!'
          : `rounded-es-[6px] ${ON_PICTURE}`,
      )}
    >
      {shown?.text ?? text.text}
    </span>
  )
}
