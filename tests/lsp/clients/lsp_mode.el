;;; lsp_mode.el --- Drives lsp-mode by the plan; see check_client.py  -*- lexical-binding: t -*-
;; SPDX-License-Identifier: Apache-2.0
(require 'lsp-mode)
(require 'lsp-diagnostics)
(require 'lsp-completion)
(require 'lsp-modeline)
(require 'flymake)

(setq lsp-diagnostics-provider :flymake lsp-session-file (expand-file-name "~/session") lsp-auto-guess-root t
      lsp-enable-snippet nil lsp-keep-workspace-alive nil lsp-restart 'ignore lsp-enable-file-watchers nil
      lsp-headerline-breadcrumb-enable nil lsp-modeline-code-actions-enable nil lsp-warn-no-matched-clients nil
      lsp-completion-provider :capf lsp-auto-execute-action nil)
(add-to-list 'lsp-language-id-configuration (cons client-mode (client-plan 'language)))
(lsp-register-client
 (make-lsp-client :new-connection (lsp-stdio-connection (lambda () client-server))
                  :major-modes (list client-mode) :priority 10 :server-id 'komuz-test))
(setq client-marks
      (lambda ()
        (mapcar (lambda (one)
                  (list (flymake-diagnostic-beg one) (flymake-diagnostic-end one) (flymake-diagnostic-text one)))
                (flymake-diagnostics))))

(defun lsp-mode-drive ()
  (funcall client-mode)
  (lsp)
  (client-wait-for "open" (lsp-workspaces) (eq (lsp--workspace-status (car (lsp-workspaces))) 'initialized))
  (flymake-start nil)
  (client-say "opened: %s" (client-plan 'file))
  (client-wait-for-error "diagnostic")

  (client-go-to (client-plan 'hover 'at))
  (let ((contents (gethash "contents" (lsp-request "textDocument/hover" (lsp--text-document-position-params)))))
    (client-expect-words "hover" (substring-no-properties (lsp--render-on-hover-content contents t))
                         (client-plan 'hover 'says)))

  (client-go-to (client-plan 'definition 'at))
  (lsp-find-definition)
  (unless (= (point) (client-place (client-plan 'definition 'to))) (client-fail "definition: went to %d" (point)))
  (client-say "definition: line %d" (line-number-at-pos))

  (client-complete)
  (client-wait-for-error "typed")
  (lsp-format-buffer)
  (client-expect-text "formatting" (client-lines (client-plan 'formatted)))
  (client-say "formatting: as planned")
  (client-wait-for-error "formatted")

  (client-go-to (client-plan 'error 'at))
  (let* ((actions (append (lsp-code-actions-at-point) nil))
         (titles (mapcar (lambda (action) (gethash "title" action)) actions))
         (chosen (cl-position (client-plan 'fix) titles :test #'string-search)))
    (unless chosen (client-fail "quick fix: no `%s` in %s" (client-plan 'fix) titles))
    (lsp-execute-code-action (nth chosen actions))
    (client-place (client-plan 'mended))
    (client-say "quick fix: %s" (string-join titles ", ")))
  (client-wait-for-no-error "mended")

  (if (not (lsp-feature? "textDocument/rename"))
      (client-say "rename: the server has none")
    (client-go-to (client-plan 'rename 'at))
    (lsp-rename (client-plan 'rename 'to))
    (let ((count (how-many (client-plan 'rename 'to) (point-min) (point-max))))
      (unless (= count (client-plan 'rename 'left)) (client-fail "rename: %d places" count))
      (client-say "rename: %d times %s" count (client-plan 'rename 'to)))
    (client-wait-for-no-error "renamed"))

  (client-replace-texts)
  (client-ask-rows 'xref-lsp #'lsp--imenu-create-index)

  (save-buffer)
  (let ((process (lsp--workspace-cmd-proc (car (lsp-workspaces)))))
    ;; The last buffer of the server goes, and with it the server.
    (kill-buffer)
    (client-wait-for "close" (not (process-live-p process)))
    (client-say "closed")))

(client-run #'lsp-mode-drive)
;;; lsp_mode.el ends here
