import { useState, type ReactNode } from 'react'
import { CornersOutIcon } from '@phosphor-icons/react/dist/csr/CornersOut'
import { GearSixIcon } from '@phosphor-icons/react/dist/csr/GearSix'
import { KeyboardIcon } from '@phosphor-icons/react/dist/csr/Keyboard'
import { PictureInPictureIcon } from '@phosphor-icons/react/dist/csr/PictureInPicture'
import type { DataMode } from '@duet/protocol'
import { Button, Dialog, IconButton, Segment, Switch } from '@duet/ui'
import { useNow } from '../../../shared/controls/use-time.ts'
import { intlLocale, t } from '../../../shared/i18n.ts'
import { useBackEntry } from '../../../shared/navigation/back-entries.ts'
import { changeCallChoices, useCallChoices } from '../../../shared/video/call-choices.ts'
import { ON_PICTURE } from '../../../shared/video/on-picture.ts'
import { DevicePickers } from '../../../shared/video/screen-parts.tsx'
import { useCallEngine } from '../call-context.tsx'
import { canCaption } from '../captions/browser-speech.ts'
import { canFillScreen, canFloat, toggleFloating, toggleFullScreen } from './picture-windows.ts'
import { usePhone } from './use-phone.ts'

/** Opens the settings of the running call. */
export function CallSettings({ onKeys }: { onKeys: () => void }) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  useBackEntry(open, close)
  return (
    <>
      <IconButton
        variant="quiet"
        size={44}
        className={ON_PICTURE}
        label={t('video.settings.title')}
        icon={<GearSixIcon size={20} />}
        onClick={() => setOpen(true)}
      />
      <Dialog
        open={open}
        onClose={close}
        title={t('video.settings.title')}
        closeLabel={t('action.close')}
      >
        {open ? <Settings onKeys={onKeys} onClose={close} /> : null}
      </Dialog>
    </>
  )
}

interface SettingsProps {
  onKeys: () => void
  onClose: () => void
}

function Settings({ onKeys, onClose }: SettingsProps) {
  const isPhone = usePhone()
  const { keys, captions } = useCallChoices()
  const after = (work: () => void | Promise<void>) => () => {
    onClose()
    void work()
  }
  return (
    <div className="flex flex-col gap-5">
      <DevicePickers />
      <DataChoice />
      {canCaption() ? (
        <Switch
          checked={captions}
          onChange={(on) => changeCallChoices({ captions: on })}
          label={t('video.settings.captions')}
          help={t('video.settings.captions_help')}
        />
      ) : null}
      {isPhone ? null : (
        <Switch
          checked={keys}
          onChange={(on) => changeCallChoices({ keys: on })}
          label={t('video.settings.keys')}
          help={t('video.settings.keys_help')}
        />
      )}
      <div className="flex flex-wrap gap-2.5">
        {canFloat() ? (
          <Window icon={<PictureInPictureIcon size={20} />} onPress={after(toggleFloating)}>
            {t('video.settings.float')}
          </Window>
        ) : null}
        {canFillScreen() ? (
          <Window icon={<CornersOutIcon size={20} />} onPress={after(toggleFullScreen)}>
            {t('video.settings.full_screen')}
          </Window>
        ) : null}
        {isPhone ? null : (
          <Window icon={<KeyboardIcon size={20} />} onPress={after(onKeys)}>
            {t('video.keys.title')}
          </Window>
        )}
      </div>
    </div>
  )
}

interface WindowProps {
  icon: ReactNode
  onPress: () => void
  children: ReactNode
}

function Window({ icon, onPress, children }: WindowProps) {
  return (
    <Button size={44} icon={icon} onClick={onPress}>
      {children}
    </Button>
  )
}

const MODES: readonly DataMode[] = ['stills', 'reduced', 'full']
const BYTES_A_MEGABYTE = 1_000_000

/** How much data the call may use, with what it has used. Both sides then send less. */
function DataChoice() {
  const engine = useCallEngine()
  const { data_mode } = useCallChoices()
  useNow(1000)
  const megabytes = new Intl.NumberFormat(intlLocale(), { maximumFractionDigits: 1 }).format(
    engine.data_use.used_bytes / BYTES_A_MEGABYTE,
  )
  return (
    <section className="flex flex-col gap-2">
      <h3 className="note text-text-2">{t('video.settings.data')}</h3>
      <Segment
        label={t('video.settings.data')}
        size={48}
        wide
        value={data_mode}
        onChange={(mode) => changeCallChoices({ data_mode: mode })}
        options={MODES.map((mode) => ({ value: mode, label: t(`video.settings.data_${mode}`) }))}
      />
      <p className="note text-text-3">{t(`video.settings.data_${data_mode}_help`)}</p>
      <p className="note text-text-3 tabular-nums">{t('video.settings.used', { megabytes })}</p>
    </section>
  )
}
