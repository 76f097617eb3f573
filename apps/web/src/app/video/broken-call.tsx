import { Button } from '@duet/ui'
import type { RunningCall } from '../../features/calls/calls-state.ts'
import { t } from '../../shared/i18n.ts'
import { useVideo } from './video-context.tsx'

/** Replaces a call screen or card that failed. The call continues, so the user must be able to end the call. */
export function BrokenCall({ call }: { call: RunningCall }) {
  const { callCommands, me } = useVideo()
  const end = () =>
    callCommands.leave(me.getSnapshot()?.role === 'girl' ? 'break' : 'end', call.session.id)
  return (
    <aside
      role="alert"
      data-theme="dark"
      className="panel fixed inset-x-3 bottom-[calc(76px+env(safe-area-inset-bottom))] z-sticky mx-auto flex max-w-[360px] flex-col gap-3 rounded-row! bg-surface-1 p-4 text-text"
    >
      <p className="ui">{t('video.card.broken', { nick: call.session.user_interlocutor.nick })}</p>
      <div className="flex gap-2.5">
        <Button
          variant="primary"
          busy={call.leaving !== null && !call.is_leave_stuck}
          onClick={() => void end()}
        >
          {t('action.end_call')}
        </Button>
        <Button onClick={() => location.reload()}>{t('system.reload')}</Button>
      </div>
    </aside>
  )
}
