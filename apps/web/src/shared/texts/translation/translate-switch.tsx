import { TranslateIcon } from '@phosphor-icons/react/dist/csr/Translate'
import { IconButton, Switch } from '@duet/ui'
import { t } from '../../i18n.ts'
import { useTranslates } from './use-translation.ts'

interface TranslateSwitchProps {
  readonly on: boolean
  readonly onChange: (on: boolean) => void
  /** An icon alone, where there is little room. */
  readonly compact?: boolean
}

/** Shows translations of the other user's texts. Absent if the installation translates nothing. */
export function TranslateSwitch({ on, onChange, compact }: TranslateSwitchProps) {
  const isOffered = useTranslates()
  if (!isOffered) return null
  if (compact)
    return (
      <IconButton
        variant="quiet"
        label={t('translate.switch')}
        aria-pressed={on}
        icon={<TranslateIcon size={24} className={on ? 'text-ember-hi' : undefined} />}
        onClick={() => onChange(!on)}
      />
    )
  return (
    <Switch
      checked={on}
      onChange={onChange}
      label={t('translate.switch')}
      icon={<TranslateIcon size={18} className="text-ember-hi" />}
      className="rounded-full bg-surface-2 px-4 shadow-[inset_0_0_0_1px_var(--hair-2)]"
    />
  )
}
