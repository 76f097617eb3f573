import { CoffeeIcon } from '@phosphor-icons/react/dist/csr/Coffee'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { Button } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { useKeys } from '../../shared/controls/use-keys.ts'
import { OwnPicture } from '../../shared/video/screen-parts.tsx'
import { useSearchCommands } from './search-context.tsx'
import { MetPerson } from '../../shared/video/met-person.tsx'
import { MessageScreen } from '../../shared/video/screen-frame.tsx'
import { ReceiptLines } from '../../shared/video/screen-parts.tsx'
import type { PreviousCall } from './matchmaking-state.ts'

interface BreakScreenProps {
  readonly left: PreviousCall | null
  readonly onStart: () => void
  /** Called after the user of the ended call is blocked. */
  readonly onBlocked: () => void
}

/** For a girl in a break: the search continues when she ends the break. */
export function BreakScreen({ left, onStart, onBlocked }: BreakScreenProps) {
  const commands = useSearchCommands()
  useKeys({ Enter: onStart, Escape: () => void commands.stop() })
  return (
    <MessageScreen
      pair={{
        hers: { light: 'ember', icon: <CoffeeIcon size={64} weight="duotone" /> },
        yours: { children: <OwnPicture dimmed /> },
      }}
      title={t('matching.break.title')}
      text={t('matching.break.text')}
      actions={
        <>
          {left ? <MetPerson left={left} isNamed onBlocked={onBlocked} /> : null}
          <Button
            variant="primary"
            size={54}
            wide
            icon={<PlayIcon size={18} weight="fill" />}
            onClick={onStart}
          >
            {t('matching.break.back')}
          </Button>
          <Button variant="quiet" wide onClick={() => void commands.stop()}>
            {t('matching.break.leave')}
          </Button>
        </>
      }
    >
      {left ? <ReceiptLines receipt={left.receipt} /> : null}
    </MessageScreen>
  )
}
