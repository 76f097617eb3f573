/** Reading: what law asks for, as pages and as dialogs. */
export { LegalText } from './legal-text.tsx'
export { PrivacyDialog, TermsDialog } from './legal-dialogs.tsx'
