export { DirectionProvider } from '@base-ui/react/direction-provider'
export { cx } from './class-names.ts'
export { useCountdown } from './use-countdown.ts'
export { useMediaQuery, useMobile, useReducedMotion } from './use-media-query.ts'

export { Mark, Wordmark } from './brand/mark.tsx'
export { CoinIcon, DiamondIcon, MessageIcon } from './brand/currency-icons.tsx'

export { Button, type ButtonProps } from './controls/button.tsx'
export {
  buttonLook,
  type ButtonLook,
  type ButtonSize,
  type ButtonVariant,
} from './controls/button-look.ts'
export { CallControl, type CallControlProps } from './controls/call-control.tsx'
export { Toolbar, type ToolbarProps } from './controls/toolbar.tsx'
export { Chip, ChipRow, type ChipProps } from './controls/chip.tsx'
export { IconButton, type IconButtonProps } from './controls/icon-button.tsx'
export { KeyCap } from './controls/key-cap.tsx'
export { SaveBar, type SaveBarProps } from './controls/save-bar.tsx'
export {
  Segment,
  Tabs,
  type SegmentOption,
  type SegmentProps,
  type TabsProps,
} from './controls/segment.tsx'
export { Spinner } from './controls/spinner.tsx'
export { SwipeRow } from './controls/swipe-row.tsx'
export { Tag, toneLook, type TagProps, type Tone } from './controls/tag.tsx'

export { CheckboxRow, type CheckboxRowProps } from './fields/checkbox-row.tsx'
export { DateField, type DateFieldProps } from './fields/date-field.tsx'
export { Field, type FieldProps } from './fields/field.tsx'
export { PasswordField, type PasswordFieldProps } from './fields/password-field.tsx'
export { RadioRows, type RadioOption, type RadioRowsProps } from './fields/radio-rows.tsx'
export { Select, type SelectOption, type SelectProps } from './fields/select.tsx'
export { Switch, type SwitchProps } from './fields/switch.tsx'
export { TextArea, type TextAreaProps } from './fields/text-area.tsx'

export { CountdownConfirm, type CountdownConfirmProps } from './overlays/countdown-confirm.tsx'
export { Dialog, type DialogProps } from './overlays/dialog.tsx'
export {
  Menu,
  PressMenu,
  type MenuEntry,
  type MenuProps,
  type PressMenuProps,
} from './overlays/menu.tsx'
export { Popover, type PopoverProps } from './overlays/popover.tsx'
export { createToasts, ToastRegion, type ToastContent, type Toasts } from './overlays/toast.tsx'
export { Viewer, type ViewerProps } from './overlays/viewer.tsx'
export { Zoomable } from './overlays/zoomable.tsx'
export { Tooltip, type TooltipProps } from './overlays/tooltip.tsx'

export { Avatar, type AvatarProps } from './people/avatar.tsx'
export {
  MessageBubble,
  TypingDots,
  type MessageBubbleProps,
  type MessageState,
} from './people/message-bubble.tsx'
export {
  PetalPair,
  pairLayouts,
  type PairLayout,
  type PetalPairProps,
  type PetalPlace,
} from './people/petal-pair.tsx'
export { Petal, type PetalProps, type PetalShape } from './people/petal.tsx'
export { Sheen } from './people/sheen.tsx'

export { Amount, RollingNumber, type AmountKind, type AmountProps } from './figures/amount.tsx'
export { Bars, type Bar, type BarSeries, type BarsProps } from './figures/bars.tsx'
export { ProgressLine, type ProgressLineProps } from './figures/progress-line.tsx'
export { Ring, type RingProps, type RingTone } from './figures/ring.tsx'
export { StatTile, type StatTileProps } from './figures/stat-tile.tsx'
export { WalletPill, type WalletPillProps } from './figures/wallet-pill.tsx'

export { Banner, type BannerProps } from './feedback/banner.tsx'
export { EmptyState, type EmptyStateProps } from './feedback/empty-state.tsx'
export { LoadingBar } from './feedback/loading-bar.tsx'
export { Skeleton, useSkeleton } from './feedback/skeleton.tsx'
