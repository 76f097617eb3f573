/** The dialogs of identity, loaded together. */
export { AgeGate } from './age-gate.tsx'
export { LanguagesDialog } from './languages-dialog.tsx'
export { LoginDialog } from './login-dialog.tsx'
export { RecoveryDialog } from './recovery/recovery-dialog.tsx'
export { SecondFactorDialog } from './second-factor/second-factor-dialog.tsx'
export { RegisterDialog } from './registration/register-dialog.tsx'
export { RegisterSuccess } from './registration/register-success.tsx'
