;;; eglot.el --- Drives Eglot by the plan; see check_client.py  -*- lexical-binding: t -*-
;; SPDX-License-Identifier: Apache-2.0
(require 'eglot)

(setq eglot-autoshutdown nil eglot-sync-connect 10 eglot-events-buffer-size 0)
;; A batch has no idle timers: what Eglot sends when a user pauses is sent here.
(add-hook 'client-idle-hook
          (lambda () (when (and (fboundp 'eglot-managed-p) (eglot-managed-p)) (eglot--signal-textDocument/didChange))))
(setq client-marks
      (lambda ()
        (mapcar (lambda (one)
                  (list (flymake-diagnostic-beg one) (flymake-diagnostic-end one) (flymake-diagnostic-text one)))
                (flymake-diagnostics))))

(defun eglot-drive ()
  (funcall client-mode)
  (let ((server (apply #'eglot--connect
                       (list client-mode) (cons 'transient default-directory) 'eglot-lsp-server client-server
                       (list (client-plan 'language)))))
    (client-wait-for "open" (eglot-managed-p))
    (flymake-start nil)
    (client-say "opened: %s" (client-plan 'file))
    (client-wait-for-error "diagnostic")

    (client-go-to (client-plan 'hover 'at))
    (let (shown)
      (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown text)))
      (client-expect-words "hover" (substring-no-properties (client-wait-for "hover" shown))
                           (client-plan 'hover 'says)))

    (client-go-to (client-plan 'definition 'at))
    (call-interactively #'xref-find-definitions)
    (unless (= (point) (client-place (client-plan 'definition 'to))) (client-fail "definition: went to %d" (point)))
    (client-say "definition: line %d" (line-number-at-pos))

    (client-complete)
    (client-wait-for-error "typed")
    (eglot-format-buffer)
    (client-expect-text "formatting" (client-lines (client-plan 'formatted)))
    (client-say "formatting: as planned")
    (client-wait-for-error "formatted")

    (let* ((begin (client-place (client-plan 'error 'at)))
           (actions (eglot-code-actions begin (+ begin (length (client-plan 'error 'text))) "quickfix"))
           (titles (mapcar (lambda (action) (plist-get action :title)) actions))
           (chosen (cl-find (client-plan 'fix) titles :test #'string-search)))
      (unless chosen (client-fail "quick fix: no `%s` in %s" (client-plan 'fix) titles))
      ;; The menu's answer, as a user gives it.
      (cl-letf (((symbol-function 'completing-read) (lambda (&rest _) chosen))
                (last-nonmenu-event ?a))
        (eglot-code-actions begin (+ begin (length (client-plan 'error 'text))) "quickfix" t))
      (client-place (client-plan 'mended))
      (client-say "quick fix: %s" (string-join titles ", ")))
    (client-wait-for-no-error "mended")

    (if (not (eglot--server-capable :renameProvider))
        (client-say "rename: the server has none")
      (client-go-to (client-plan 'rename 'at))
      (eglot-rename (client-plan 'rename 'to))
      (let ((count (how-many (client-plan 'rename 'to) (point-min) (point-max))))
        (unless (= count (client-plan 'rename 'left)) (client-fail "rename: %d places" count))
        (client-say "rename: %d times %s" count (client-plan 'rename 'to)))
      (client-wait-for-no-error "renamed"))

    (client-replace-texts)

    (client-ask-rows 'eglot #'eglot-imenu)
    (save-buffer)
    (kill-buffer)
    (eglot-shutdown server nil 10)
    (client-wait-for "close" (not (jsonrpc-running-p server)))
    (client-say "closed")))

(client-run #'eglot-drive)
;;; eglot.el ends here
