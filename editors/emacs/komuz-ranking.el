;;; komuz-ranking.el --- How the variants of a sketch rank  -*- lexical-binding: t; -*-
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; `komuz-ranking' shows the ranking of a sketch in a buffer of its own, which
;; follows while the server ranks on.  RET fills the sketch with the variant of
;; a line, and `komuz-fill' with the best one.  The server runs in Eglot or in
;; lsp-mode; what it is asked is in docs/lsp.md.

;;; Code:

(require 'cl-lib)
(require 'tabulated-list)
(require 'url-util)

(declare-function eglot-current-server "eglot")
(declare-function eglot--signal-textDocument/didChange "eglot")
(declare-function eglot-handle-notification "eglot")
(declare-function jsonrpc-request "jsonrpc")
(declare-function lsp-request "lsp-mode")
(declare-function lsp-workspaces "lsp-mode")
(declare-function lsp--buffer-uri "lsp-mode")

(defconst komuz-ranking-rows 100 "How many rows are asked for.")
(defconst komuz-ranking-patience 10
  "For how many seconds `komuz-fill' waits while the server ranks.")

(defvar-local komuz-ranking--sketch nil "The buffer whose ranking this buffer shows.")

(defun komuz--plist (value)
  "VALUE of a server's answer, with objects as property lists, as Eglot has them."
  (cond
   ((hash-table-p value)
    (let (list)
      (maphash (lambda (key one) (setq list (cons (intern (concat ":" key)) (cons (komuz--plist one) list)))) value)
      list))
   ((vectorp value) (vconcat (mapcar #'komuz--plist value)))
   ((and (consp value) (keywordp (car value)))
    (cl-loop for (key one) on value by #'cddr append (list key (komuz--plist one))))
   (t value)))

(defun komuz--uri ()
  "The URI of this buffer, as its client names it."
  (if (fboundp 'eglot-path-to-uri) (eglot-path-to-uri buffer-file-name)
    (concat "file://" (url-hexify-string (file-truename buffer-file-name) url-path-allowed-chars))))

(defvar komuz--is-asking nil "True while an answer is waited for.")

(defun komuz--ask (method &rest params)
  "The server's answer to METHOD about this buffer; PARAMS go beside it."
  (let ((komuz--is-asking t)) (apply #'komuz--ask-client method params)))
(defun komuz--ask-client (method &rest params)
  "Asks the client of this buffer for METHOD with PARAMS."
  (cond
   ((and (fboundp 'eglot-current-server) (eglot-current-server))
    ;; What has been typed since the last pause.
    (when (fboundp 'eglot--signal-textDocument/didChange) (eglot--signal-textDocument/didChange))
    (komuz--plist (jsonrpc-request (eglot-current-server) (intern (concat ":" method))
                                   (append (list :textDocument (list :uri (komuz--uri))) params))))
   ((and (fboundp 'lsp-workspaces) (lsp-workspaces))
    (komuz--plist (lsp-request method (append (list :textDocument (list :uri (lsp--buffer-uri))) params))))
   (t (user-error "`komuz lsp' does not run for this file: M-x eglot, or M-x lsp"))))

(defun komuz--ranking (count)
  "The first COUNT rows of this buffer's ranking; what has none says why."
  (let ((ranking (komuz--ask "komuz/ranking" :first 0 :count count)))
    (if (member (plist-get ranking :state) '("done" "running"))
        ranking
      (user-error "No ranking: %s" (or (plist-get ranking :problem) "this is no sketch with cases")))))

(defun komuz--score-text (row)
  "The score of ROW for a table; what has none says why, in a word."
  (let ((score (plist-get row :score)))
    (cond ((numberp score) (format "%.6g" score)) ((stringp score) score) (t (or (plist-get row :status) "")))))

(defun komuz--entry (row)
  "A line of the table for ROW."
  (let ((variant (plist-get row :variant)))
    (list variant
          (vector (number-to-string (plist-get row :rank)) (concat "#" variant) (komuz--score-text row)
                  (replace-regexp-in-string "[ \t\n]+" " " (plist-get row :text))))))

(defun komuz--by-rank (one other)
  "Is the rank of ONE before that of OTHER?"
  (< (string-to-number (aref (cadr one) 0)) (string-to-number (aref (cadr other) 0))))
(defun komuz--by-variant (one other)
  "Is the number of ONE smaller than that of OTHER?"
  (< (string-to-number (car one)) (string-to-number (car other))))

(defvar komuz-ranking-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map tabulated-list-mode-map)
    (define-key map (kbd "RET") #'komuz-ranking-fill)
    map)
  "Keys of `komuz-ranking-mode'.")

(define-derived-mode komuz-ranking-mode tabulated-list-mode "Ranking"
  "How the variants of a sketch rank.  RET fills the sketch with one, g asks again."
  (setq tabulated-list-padding 1)
  (add-hook 'tabulated-list-revert-hook #'komuz-ranking--update nil t))

(defun komuz-ranking--update ()
  "Asks for the ranking that this buffer shows."
  (let ((ranking (with-current-buffer komuz-ranking--sketch (komuz--ranking komuz-ranking-rows))))
    (setq tabulated-list-format
          (vector '("Rank" 5 komuz--by-rank :right-align t) '("Variant" 9 komuz--by-variant)
                  (list (or (plist-get ranking :score) "Score") 12 #'komuz--by-rank) '("Program" 0 nil))
          tabulated-list-entries (mapcar #'komuz--entry (plist-get ranking :rows))
          mode-line-process
          ;; Before the first step nothing has been counted.
          (format " %s variants, %s evaluated%s" (or (plist-get ranking :variants) "?") (or (plist-get ranking :evaluated) 0)
                  (if (equal (plist-get ranking :state) "done") "" " …")))
    (tabulated-list-init-header)))

(defun komuz-ranking--buffer (sketch)
  "The buffer for the ranking of SKETCH."
  (get-buffer-create (format "*ranking of %s*" (buffer-name sketch))))

;;;###autoload
(defun komuz-ranking (&optional sketch)
  "Show how the variants of SKETCH, else of this buffer, rank."
  (interactive)
  (let* ((sketch (or sketch (current-buffer))) (table (komuz-ranking--buffer sketch)) (before (current-window-configuration)))
    (pop-to-buffer table)
    (komuz-ranking-mode)
    (setq komuz-ranking--sketch sketch)
    ;; It is shown before it is asked for: the server may say at once that it has ranked on.
    (condition-case problem (revert-buffer)
      (user-error
       (set-window-configuration before)
       (kill-buffer table)
       (signal (car problem) (cdr problem))))))

(defun komuz-ranking--changed (uri)
  "The server has ranked on what is at URI: a table that is open follows."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (and (derived-mode-p 'komuz-ranking-mode) (get-buffer-window buffer t)
                 (equal uri (with-current-buffer komuz-ranking--sketch (komuz--uri))))
        (komuz-ranking--update-soon buffer)))))

(defun komuz-ranking--update-soon (table)
  "Asks anew for what TABLE shows, when no other answer is waited for.
A client reads messages while it waits, and does not ask in between."
  (run-at-time (if komuz--is-asking 0.05 0) nil
               (lambda ()
                 (cond ((not (buffer-live-p table)))
                       (komuz--is-asking (komuz-ranking--update-soon table))
                       (t (with-current-buffer table (revert-buffer)))))))

(defun komuz-ranking-fill ()
  "Fills the sketch with the variant of this line."
  (interactive)
  (let ((variant (or (tabulated-list-get-id) (user-error "There is no variant here"))) (sketch komuz-ranking--sketch))
    (quit-window)
    (pop-to-buffer sketch)
    (komuz-fill variant)))

(defun komuz--best ()
  "The number of the best variant; waits while the server ranks."
  (let ((end (+ (float-time) komuz-ranking-patience)) ranking)
    (while (progn
             (setq ranking (komuz--ranking 1))
             (and (equal (plist-get ranking :state) "running") (< (float-time) end)))
      (accept-process-output nil 0.05))
    (let ((rows (plist-get ranking :rows)))
      (if (> (length rows) 0) (plist-get (aref rows 0) :variant) (user-error "No variant has been evaluated yet")))))

;;;###autoload
(defun komuz-fill (&optional variant)
  "Fills this sketch with VARIANT, else with the best one.
Undo brings the holes back."
  (interactive)
  (let* ((best (or variant (komuz--best)))
         (text (plist-get (komuz--ask "komuz/fill" :variant best) :text))
         (whole (generate-new-buffer " *komuz-fill*")))
    (unwind-protect
        (progn
          (with-current-buffer whole (insert text))
          ;; Marks and the cursor stay where they are.
          (replace-buffer-contents whole))
      (kill-buffer whole))))

(with-eval-after-load 'eglot
  (cl-defmethod eglot-handle-notification (_server (_method (eql komuz/rankingChanged)) &key uri &allow-other-keys)
    (komuz-ranking--changed uri)))

(provide 'komuz-ranking)
;;; komuz-ranking.el ends here
