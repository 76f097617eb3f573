import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { CellSignalLowIcon } from '@phosphor-icons/react/dist/csr/CellSignalLow'
import { Button, cx, Popover } from '@duet/ui'
import { t } from '../../../../shared/i18n.ts'
import { changeCallChoices, useCallChoices } from '../../../../shared/video/call-choices.ts'
import { useEngineSnapshot } from '../../call-context.tsx'
import type { RunningCall } from '../../calls-state.ts'
import { SIGN } from './sign-look.ts'
import { findWeakSide } from './weak-side.ts'

/** While the line is poor: whose side it is. A press says what helps. */
export function LineSign({ call }: { call: RunningCall }) {
  const { weak } = useEngineSnapshot()
  const side = findWeakSide(weak, call.partner_media)
  if (!side) return null
  const { nick } = call.session.user_interlocutor
  const word = t(`video.line.${side}`, { nick })
  return (
    <Popover
      title={word}
      align="start"
      className="w-[320px]"
      trigger={
        <button type="button" className={cx(SIGN, 'hit')}>
          <CellSignalLowIcon size={18} weight="fill" className="text-warn" />
          <span role="status">{word}</span>
          <CaretDownIcon size={14} weight="bold" />
        </button>
      }
    >
      <p className="note text-text-2">{t(`video.line.${side}_help`, { nick })}</p>
      <LessData />
    </Popover>
  )
}

/** With less data both pages send a smaller picture, whichever side is weak. */
function LessData() {
  const { data_mode } = useCallChoices()
  if (data_mode === 'stills') return null
  if (data_mode === 'reduced')
    return (
      <p role="status" className="note mt-3 text-text-3">
        {t('video.line.less_done')}
      </p>
    )
  return (
    <Button size={44} className="mt-3" onClick={() => changeCallChoices({ data_mode: 'reduced' })}>
      {t('video.line.less')}
    </Button>
  )
}
