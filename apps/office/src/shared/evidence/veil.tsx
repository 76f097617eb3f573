import { EyeIcon, EyeSlashIcon } from '@phosphor-icons/react'
import { useState } from 'react'
import { Button } from '@duet/ui/controls/button.tsx'
import { KeyCap } from '@duet/ui/controls/key-cap.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { t } from '../texts.ts'

interface Veil {
  readonly isClear: boolean
  readonly toggle: () => void
}

/** Pictures of a case are blurred and grey until the viewer shows them. */
export function useVeil(onToggle?: (isClear: boolean) => void): Veil {
  const [isClear, setClear] = useState(false)
  const toggle = () => {
    setClear(!isClear)
    onToggle?.(!isClear)
  }
  useKeys({ ' ': toggle, b: toggle })
  return { isClear, toggle }
}

interface ButtonProps extends Veil {
  /** A dialog has its own keys. */
  hasKey?: boolean
}

export function VeilButton({ isClear, toggle, hasKey = true }: ButtonProps) {
  return (
    <Button
      size={36}
      variant="secondary"
      aria-pressed={isClear}
      icon={isClear ? <EyeSlashIcon size={18} /> : <EyeIcon size={18} />}
      onClick={toggle}
    >
      {isClear ? t('office.evidence.hide') : t('office.evidence.show')}{' '}
      {hasKey && <KeyCap>Space</KeyCap>}
    </Button>
  )
}
