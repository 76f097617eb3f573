import { Button } from '@duet/ui'
import { useSnapshot } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'
import { MessageScreen } from '../../shared/video/screen-frame.tsx'
import { OwnPicture } from '../../shared/video/screen-parts.tsx'
import { useCallCommands } from './call-context.tsx'
import type { RunningCall } from './calls-state.ts'

/** The user left, and the media is stopped. The server has not closed the call yet. */
export function LeavingScreen({ call }: { call: RunningCall }) {
  const commands = useCallCommands()
  const isOnline = useSnapshot().phase === 'ready'
  const { nick, avatar } = call.session.user_interlocutor
  const { leaving, is_leave_stuck } = call
  return (
    <MessageScreen
      pair={{
        hers: avatar
          ? { src: avatar, alt: nick, dimmed: true, priority: 'high' }
          : { light: 'ember', dimmed: true },
        yours: { children: <OwnPicture /> },
      }}
      title={t(call.is_met ? 'video.after.you_left' : 'video.after.not_met', { nick })}
      text={
        <span role="status">
          {t(is_leave_stuck ? 'video.leaving.stuck' : 'video.leaving.text', { nick })}
        </span>
      }
      actions={
        is_leave_stuck ? (
          <>
            {isOnline && leaving ? (
              <Button
                variant="primary"
                size={54}
                wide
                onClick={() => void commands.leave(leaving, call.session.id)}
              >
                {t('action.retry')}
              </Button>
            ) : null}
            <Button size={54} wide onClick={commands.abandon}>
              {t('video.leaving.out')}
            </Button>
            <Button variant="quiet" wide onClick={commands.stay}>
              {t('video.leaving.back', { nick })}
            </Button>
          </>
        ) : (
          <Button size={54} wide busy>
            {t('video.leaving.closing')}
          </Button>
        )
      }
    />
  )
}
