import { FlagIcon } from '@phosphor-icons/react/dist/csr/Flag'
import { Button } from '@duet/ui'
import { t } from '../i18n.ts'
import { report, type ReportInput } from '../people/report.ts'

interface ReportPictureProps extends ReportInput {
  /** Closes the picture, which would lie below the dialog. */
  readonly onPress: () => void
}

/** Below a picture of another user that is shown over the whole screen. */
export function ReportPicture({ onPress, ...input }: ReportPictureProps) {
  return (
    <Button
      size={36}
      variant="quiet"
      icon={<FlagIcon size={18} />}
      onClick={() => {
        onPress()
        report(input)
      }}
    >
      {t('action.report')}
    </Button>
  )
}
